/** Formatters of the browser, each made once: making one takes longer than drawing a card. There are a few dozen in a language. */

export const dateFormat = makeOnce((tag, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options));

export const numberFormat = makeOnce((tag, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options));

function makeOnce<Options, Format>(
  make: (tag: string, options: Options) => Format,
): (tag: string, options: Options) => Format {
  const made = new Map<string, Format>();
  return (tag, options) => {
    const key = JSON.stringify([tag, options]);
    const format = made.get(key) ?? make(tag, options);
    made.set(key, format);
    return format;
  };
}
