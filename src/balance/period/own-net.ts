/**
 * The monitor's own net of the grid and of production, in the steps of a period that is still read. They come with the first answer, while
 * the days behind them take minutes. A step of 0 stays unknown: a monitor that was reset has 0 for its past.
 */
import type { BalanceMeter } from '../meters/placed-meters';
import type { Report } from './report';

/** The fields that a monitor adds up itself, by the role of the meter. */
const fields = { grid: 'energy_net_kwh', production: 'energy_production_kwh' } as const;

/** Fills the steps that are not wholly known, in which every meter of the role has a sum. Ratios and the use of the house stay. */
export function addOwnNet(report: Report, meters: readonly BalanceMeter[]): void {
  for (const role of ['grid', 'production'] as const) {
    const ofRole = meters.filter((meter) => meter.role === role);
    if (ofRole.length === 0) continue;
    report.completeSteps(fields[role], (start, end) => {
      const own = ofRole.flatMap(({ net }) => net.find((slot) => slot.start === start && slot.end >= end) ?? []);
      const sum = own.reduce((total, { amount }) => total + amount, 0);
      return own.length < ofRole.length || sum === 0 ? null : sum;
    });
  }
}
