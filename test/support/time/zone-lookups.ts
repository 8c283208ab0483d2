/** Counts how often a time is formatted for its offset from UTC, which is slow. */
export interface ZoneLookups {
  readonly count: () => number;
  readonly stop: () => void;
}

const prototype = Intl.DateTimeFormat.prototype;

export function countZoneLookups(): ZoneLookups {
  const original = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
  let count = 0;
  Object.defineProperty(prototype, 'format', {
    ...original,
    get(this: Intl.DateTimeFormat) {
      count += 1;
      return Reflect.apply(original.get ?? String, this, []) as unknown;
    },
  });
  return {
    count: () => count,
    stop: () => {
      Object.defineProperty(prototype, 'format', original);
    },
  };
}
