/** Sentences of the nodes in the words of a program. */

/** Names in a dialog → names in a program: “Address” in a dialog is `host` in a program. */
export type OptionNames = Readonly<Record<string, string>>;

/** The sentence of a catalogue, with the names of options and with `{name}` where values are. */
export function inProgramWords(text: string, options: OptionNames): string {
  return text
    .replace(/“([^“”]+)”(?: (?:in|of) the connection)?/g, (whole, label: string) => {
      const option = options[label];
      return option === undefined ? whole : `\`${option}\``;
    })
    .replace(/__(\w+?)__/g, '{$1}');
}
