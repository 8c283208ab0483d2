/** The aliases to try on a monitor that does not list its I/Os (spec.md, Aliases of the local API; `emucs-gas` was seen). */

/** Modbus addresses go to 247; the first ones are where meters are set up. */
const modbusAddresses = 8;

export const knownAliases: readonly string[] = [
  ...['p1', 'p1-usb', 'emucs', 'emucs-usb', 'han', 'dlms-usb', 'p1-gas', 'emucs-gas'],
  ...['s01', 's02', 's03', 'pulse-1', 'pulse-2', 'pulse-3'],
  ...Array.from({ length: modbusAddresses }, (_, index) => `mb${index + 1}`),
  'usage',
];
