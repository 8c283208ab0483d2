/** Rules for the names of meters. Shared with dialogs, so this file imports nothing. */

/** Inputs that count the pulses of an S0 output. */
const pulseAlias = /^(s0|pulse-)/i;

export function hasPulses(name: string): boolean {
  return pulseAlias.test(name);
}

/** The number is the address of the meter. The service on the internet documents no alias for one (http://developer.cemm.nl/api-en/). */
const modbusAlias = /^mb\d+$/;

export function isModbus(name: string): boolean {
  return modbusAlias.test(name);
}

/** The name of a battery in a list, where `-mb6` is a meter that counts the discharge as import. */
export function batteryName(listed: string): string {
  return listed.replace(/^-\s*/, '');
}
