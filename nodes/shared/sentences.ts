/** Sentences in the language of this Node-RED, from the catalogue of the node that speaks (nodes/shared/locales). */
import type { NodeAPI } from 'node-red';

export type Words = Readonly<Record<string, string | number>>;

/** The text behind the key, or null where the catalogue has none. */
export type Say = (key: string, words?: Words) => string | null;

/** What all nodes say is shipped once, with the connection. */
const common = 'node-red-contrib-cemm/cemm-connection';

export function createSay(RED: Pick<NodeAPI, '_'>): Say {
  const look = (name: string, key: string, words: Words): string | null => {
    const text = RED._(name, { ...words });
    // A catalogue answers with the key itself (with or without its namespace) where it has no text.
    return text === '' || text === key || text.endsWith(`:${key}`) ? null : text;
  };
  return (key, words = {}) => look(key, key, words) ?? look(`${common}:${key}`, key, words);
}
