/** Names that Home Assistant and MQTT take, made of names from outside, and never one name of two. */
import { createHash } from 'node:crypto';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The name itself where it has letters, digits, `_` and `-` only (what Home Assistant allows in discovery topics, and safe
 * in a template). Any other one is cleaned and marked with its digest, so that two names cannot become the same.
 */
export function plainName(name: string): string {
  return PLAIN.test(name) ? name : marked(name);
}

/** A name that another one follows after `_`, so it has none itself: `a_b` of `c` must not be `a` of `b_c`. */
export function plainPrefix(name: string): string {
  return PLAIN.test(name) && !name.includes('_') ? name : marked(name);
}

function marked(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 48)}_${digest}`;
}

export interface HaTopics {
  readonly discovery: string;
  readonly availability: string;
  readonly meterAvailability: (meter: string) => string;
  readonly state: (meter: string) => string;
}

/** `homeassistant` is Home Assistant's default prefix; `device` announces a whole device in one message. */
export function haTopics(monitor: string): HaTopics {
  const device = plainName(monitor);
  return {
    discovery: `homeassistant/device/cemm_${device}/config`,
    availability: `cemm/${device}/availability`,
    meterAvailability: (meter) => `cemm/${device}/${plainName(meter)}/availability`,
    state: (meter) => `cemm/${device}/${plainName(meter)}/state`,
  };
}
