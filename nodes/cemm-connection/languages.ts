/** Suggests the language of a new connection. */
import { type ConnectionLanguage, connectionLanguages } from './config';

/**
 * Catalogue key with the language of the catalogue. Node-RED falls back to English without a catalogue, in the editor as in the
 * runtime, so this is the displayed language.
 */
export const languageKey = 'language.code';

/** The editor's language if Node-RED itself uses another one; otherwise blank. */
export function proposedLanguage(ofEditor: string, ofNodeRed: string | undefined): ConnectionLanguage {
  if (ofNodeRed === undefined || ofEditor === ofNodeRed) return '';
  return connectionLanguages.find((known) => known === ofEditor) ?? '';
}
