/** What every object answers to: names that a monitor may give to a meter or a channel. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
