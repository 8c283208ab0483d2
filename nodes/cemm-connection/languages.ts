/** Which language the dialog of a new connection proposes. */
import { type ConnectionLanguage, connectionLanguages } from './config';

/**
 * The key under which each catalogue says which language it is. Node-RED falls back to English where it has no catalogue,
 * in the editor as in the runtime, so this is the language that is really shown.
 */
export const languageKey = 'language.code';

/** That of the editor where Node-RED itself speaks another one; else blank. */
export function proposedLanguage(ofEditor: string, ofNodeRed: string | undefined): ConnectionLanguage {
  if (ofNodeRed === undefined || ofEditor === ofNodeRed) return '';
  return connectionLanguages.find((known) => known === ofEditor) ?? '';
}
