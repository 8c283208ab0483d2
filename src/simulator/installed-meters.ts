/** Which meters a monitor has: the usual ones, and what options and faults change of them. */
import { findMeter, meters, remoteMeters, type Meter } from './meters';
import type { Scene } from './series';

type Installed = Pick<Scene, 'faults' | 'modbus'>;

/** A gas meter of its own, on the connection that is s02 over remote and pulse-3 on the monitor: half of all gas. */
const pulseGas: Meter = {
  alias: 'pulse-3',
  io: { ioId: 4, port: 1, type: 'gas', portOption: 's0_in' },
  kind: 'pulse',
  volume: (registers) => registers.gasM3 / 2,
  litres: (minute) => minute.gasL / 2,
};

/** In the order of the I/O lists. */
export function installedMeters(installed: Installed): readonly Meter[] {
  const { faults } = installed;
  const usual = meters
    .filter(({ alias }) => alias !== 'p1-gas' || !faults.has('no-p1-gas'))
    .map((meter) => (meter.alias === 'mb5' ? modbusMeter(meter, installed) : meter));
  return faults.has('pulse-gas') ? [pulseGas, ...usual] : usual;
}

/** The meter behind a remote alias; null: 412. */
export function remoteMeter(alias: string, { faults }: Installed): Meter | null {
  if (faults.has('alias-unsupported') || (alias === 'p1-gas' && faults.has('no-p1-gas'))) return null;
  return alias === 's02' && faults.has('pulse-gas') ? pulseGas : findMeter(remoteMeters, alias);
}

/** The number of an I/O follows from the order in which they were activated, so the pulse meter moves this one. */
function modbusMeter(meter: Meter, { faults, modbus }: Installed): Meter {
  const io = meter.io && faults.has('pulse-gas') ? { ...meter.io, ioId: 6 } : meter.io;
  return { ...meter, alias: `mb${modbus}`, io };
}
