/** The topics of a monitor, and names for topics, ids and templates. */
import { createHash } from 'node:crypto';

const safeName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * A name for topics, ids and templates. Names of letters, digits, `_` and `-` are unchanged. In other names the other characters
 * are replaced and a hash is appended, so that different names stay different.
 */
export function plainName(name: string): string {
  return safeName.test(name) ? name : withHash(name);
}

/** A name in front of `_` and another name. It has no `_` itself, so that `a_b` with `c` differs from `a` with `b_c`. */
export function plainPrefix(name: string): string {
  return safeName.test(name) && !name.includes('_') ? name : withHash(name);
}

function withHash(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 48)}_${digest}`;
}

/** The current powers, or the sums of the current day. */
export type HousePart = 'now' | 'day';

/** `homeassistant` is the default prefix of Home Assistant; `device` announces a device with all its sensors. */
export function haTopics(monitor: string) {
  const device = plainName(monitor);
  return {
    discovery: `homeassistant/device/cemm_${device}/config`,
    availability: `cemm/${device}/availability`,
    /** Time and delay of the last value. */
    contact: `cemm/${device}/contact`,
    /** Message of the button. */
    fetch: `cemm/${device}/fetch`,
    house: (part: HousePart) => `cemm/${device}/balance/${part}/state`,
    meterAvailability: (meter: string) => `cemm/${device}/${plainName(meter)}/availability`,
    state: (meter: string) => `cemm/${device}/${plainName(meter)}/state`,
  };
}
