/** Members of every object, which a monitor may use as names of meters and channels. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
