/** The phases of the connection to the grid, as far as its meter sends them. */
import type { BalancePhase, Values } from '../../model/payload';

const phases = ['l1', 'l2', 'l3'] as const;
const fieldOfPhase = /^(power_l[1-3]_w|voltage_l[1-3]_v|current_l[1-3]_a)$/;

export function isOfPhase(field: string): boolean {
  return fieldOfPhase.test(field);
}

/** Up to the last phase of which a value is sent; none without any. */
export function phasesOf(values: Values): BalancePhase[] {
  const all = phases.map((phase): BalancePhase => {
    const [voltage, current] = [values[`voltage_${phase}_v`] ?? null, values[`current_${phase}_a`] ?? null];
    return {
      power_w: values[`power_${phase}_w`] ?? null,
      ...(voltage !== null && { voltage_v: voltage }),
      ...(current !== null && { current_a: current }),
    };
  });
  const last = all.findLastIndex((phase) => Object.values(phase).some((value) => value !== null));
  return all.slice(0, last + 1);
}
