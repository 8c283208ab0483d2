/**
 * Why a payload cannot become what a destination wants. `INPUT`: what came in is not (whole) what this package sends;
 * `UNSUPPORTED`: it is, but the format has no place for it.
 */
const SENTENCES = {
  INPUT: {
    not_a_payload: 'not a payload of this package',
    other_version: 'a payload of another version than cemm/1',
    no_monitor: 'the payload names neither a monitor nor an installation',
  },
  UNSUPPORTED: {
    nothing_measured: 'a found monitor or meter has no values',
    many_points: 'a series has many points and no single value',
    unknown_delivery: 'nothing of the delivery could be interpreted',
    not_current: 'only current values can be sent there',
    not_a_state: 'a refused or missed delivery is no state of a monitor',
  },
} as const;

export type FormatErrorCode = keyof typeof SENTENCES;
export type FormatErrorReason = { [Code in FormatErrorCode]: keyof (typeof SENTENCES)[Code] }[FormatErrorCode];

/** Thrown by this folder, and nothing else is. */
export class FormatError extends Error {
  override readonly name = 'FormatError';

  private constructor(
    readonly code: FormatErrorCode,
    readonly reason: FormatErrorReason,
    sentence: string,
    /** Values for the sentence in the user's language. */
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(sentence);
  }

  /** The message or its payload is at fault. */
  static input(reason: keyof (typeof SENTENCES)['INPUT'], params: Readonly<Record<string, string>> = {}): FormatError {
    return new FormatError('INPUT', reason, SENTENCES.INPUT[reason], params);
  }

  /** The format has no place for it. */
  static unsupported(
    reason: keyof (typeof SENTENCES)['UNSUPPORTED'],
    params: Readonly<Record<string, string>> = {},
  ): FormatError {
    return new FormatError('UNSUPPORTED', reason, SENTENCES.UNSUPPORTED[reason], params);
  }
}
