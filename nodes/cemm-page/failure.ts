/** The error of a message from a Catch node. */
import { isRecord } from '../../src/checks/record';
import type { Failure } from './page/messages';

/** Sentences that the page has in the language of its viewer; the balance node has them in that of its connection only. */
const codes: ReadonlyMap<unknown, string> = new Map([
  ['nothing_yet', 'NOTHING_YET'],
  ['balance', 'NO_MOMENT'],
]);

/** @returns null without an error */
export function failureIn({ error }: Readonly<Record<string, unknown>>, at: number): Failure | null {
  if (!isRecord(error)) return null;
  const { code, message, cause } = error;
  const known = isRecord(cause) ? codes.get(cause['reason']) : undefined;
  if (known !== undefined) return { code: known, message: '', at };
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '', at };
}
