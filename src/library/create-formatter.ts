/** `createFormatter()`: checks the arguments of a program, then converts as the format node does. */
import { CemmError } from '../errors';
import {
  createFormatter as create,
  type FormatInput,
  type FormatName,
  type FormatOptions,
  type FormattedPayloads,
  type Formatter,
} from '../formats/formatter';
import { formats } from '../checks/limits';
import {
  callback,
  checkArgument,
  checkOptions,
  described,
  flag,
  type Kind,
  needed,
  object,
  oneOf,
  type OptionTable,
  text,
} from '../checks/options';
import { isRecord } from '../checks/record';

const seconds: Kind = {
  expected: 'a number of seconds, or null',
  accepts: (value) => value === null || (typeof value === 'number' && value > 0),
};

const table: OptionTable<FormatOptions> = {
  names: callback,
  expireAfter: seconds,
  fetchButton: flag,
  now: callback,
  fields: described(text, "a text with names of fields, such as 'power_w, gas_m3'"),
  language: described(text, "a text: a language, such as 'nl'"),
};

/**
 * A formatter. `chart`, `homeassistant` and `homeassistant-history` keep state, so create one formatter per destination.
 * @throws {CemmError} CONFIG: there is no such format, or an option cannot be used; the formatter itself: INPUT, UNSUPPORTED
 */
export function createFormatter<Name extends FormatName>(
  format: Name,
  options: FormatOptions = {},
): Formatter<FormattedPayloads[Name]> {
  checkArgument('CONFIG', 'format', format, needed(oneOf(formats)));
  checkOptions('CONFIG', options, table);
  checkLanguage(options.language);
  const convert = create(format, options);
  return (message) => {
    checkMessage(message);
    return convert(message);
  };
}

function checkLanguage(language: string | undefined): void {
  try {
    Intl.getCanonicalLocales(language);
  } catch {
    const expected = "a language, such as 'nl' or 'en-GB'";
    throw new CemmError('CONFIG', {
      reason: 'option_type',
      params: { option: 'language', expected, given: '', advice: '' },
    });
  }
}

/** Reminds of `{ payload: … }`, which is easily forgotten. */
function checkMessage(message: FormatInput): void {
  const example = 'an object with a payload, such as { payload: reading }';
  checkArgument('INPUT', 'message', message, needed(described(object, example)));
  const payload: unknown = isRecord(message) ? message.payload : undefined;
  const anything: Kind = { expected: 'a payload of this package', accepts: () => true };
  checkArgument('INPUT', 'message.payload', payload, needed(anything));
}
