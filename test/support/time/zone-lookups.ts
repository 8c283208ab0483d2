/** Counts how often a time is formatted for its offset from UTC, which is slow. */
export interface ZoneLookups {
  readonly count: () => number;
  readonly stop: () => void;
}

const prototype = Intl.DateTimeFormat.prototype;

export function countZoneLookups(): ZoneLookups {
  const original = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
  const read: unknown = Reflect.get(original, 'get');
  if (typeof read !== 'function') throw new Error('The formatter of this Node.js has no getter.');
  let count = 0;
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      count += 1;
      return Reflect.apply(read, this, []) as Intl.DateTimeFormat['format'];
    },
  });
  return {
    count: () => count,
    stop: () => {
      Object.defineProperty(prototype, 'format', original);
    },
  };
}
