/** The use of electricity by part: the devices of the house and the rest, of the period or of the chosen bar. */
import type { BalanceDevice, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import type { Card, Share } from './drawn';
import { digitsFor, isNumber } from './numbers';
import type { Slot } from './slots';
import { sayReason } from './reasons';

/** The largest devices have the darkest shades. */
const shades = ['device1', 'device2', 'device3'];

/** Devices without use are left out; those behind another one are named below it, without a part of the bar. */
export function deviceCards({ say, formats }: Sheet, balance: BalancePayload, slot: Slot | null): Card[] {
  const { devices = [], values, cost } = balance;
  const energyOf = ({ meter, energy_kwh: energy }: BalanceDevice): number | null =>
    (slot === null ? energy : slot.point?.devices?.[meter]) ?? null;
  const rest = (slot === null ? values['energy_other_kwh'] : slot.point?.['energy_other_kwh']) ?? null;
  const outer = devices.filter(({ within }) => within === undefined);
  const sorted = [...outer].sort((a, b) => (energyOf(b) ?? 0) - (energyOf(a) ?? 0));
  const known = outer.map(energyOf).filter(isNumber);
  if (devices.length === 0 || (known.length === 0 && slot !== null)) return [];
  const digits = digitsFor([...known, rest]);
  // A part of the bar needs a rest: otherwise it would be too long for the house.
  const partOf = (value: number | null): number | null => (rest !== null && value !== null && value > 0 ? value : null);
  const share = (key: string, name: string, energy: number | null, colour: string | null, note: string): Share => ({
    key,
    name,
    text: formats.amount(energy, 'kWh', digits),
    note,
    colour,
    part: colour === null ? null : partOf(energy),
  });
  const row = (device: BalanceDevice, colour: string | null): Share[] => {
    const energy = energyOf(device);
    const reason = device.missing?.['energy_kwh'];
    if (energy === 0 || (energy === null && (slot !== null || reason === undefined))) return [];
    const notes = [
      ...(energy === null && reason !== undefined ? [sayReason(say, reason, balance)] : []),
      ...(slot === null && isNumber(device.cost) && cost !== undefined
        ? [formats.money(device.cost, cost.currency)]
        : []),
      ...(slot === null && device.coverage < 1 && energy !== null
        ? [say('measured', formats.percent(device.coverage))]
        : []),
    ];
    return [share(device.meter, device.name, energy, colour, notes.join(', '))];
  };
  // An em space for each further level.
  const behind = ({ meter }: BalanceDevice, indent = ''): Share[] =>
    devices
      .filter(({ within }) => within === meter)
      .flatMap((inner) => [...row({ ...inner, name: indent + inner.name }, null), ...behind(inner, `${indent}\u2003`)]);
  const list = sorted.flatMap((device, index) => [...row(device, shades[index] ?? 'device3'), ...behind(device)]);
  if (list.length === 0) return [];
  const ofRest = rest === null ? [] : [share('rest', say('rest'), rest, 'rest', '')];
  return [
    cardOf('devices', say('devices'), {
      ...(slot !== null && { note: slot.fullName }),
      shares: { list: [...list, ...ofRest], sum: null },
    }),
  ];
}
