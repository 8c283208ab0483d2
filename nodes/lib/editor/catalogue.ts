/** Sentences of a node type's catalogue, in the viewer's language. */
import { lineName } from '../run/line-name';

export type CatalogueText = (key: string, values?: Record<string, string | number>) => string;

/** Needs no node: validators also run while nodes are being imported. */
export function createCatalogueText(nodeType: string): CatalogueText {
  // The editor uses the first key that exists. Texts of several types are shipped once, with the connection.
  return (key, values) => {
    const keys = [nodeType, 'cemm-connection'].map((set) => `node-red-contrib-cemm/${set}:${key}`);
    // As in nodes/lib/run/translate.ts; without a text the editor returns the keys.
    const text: unknown = RED._(keys, { ...values, returnObjects: 1 });
    return typeof text === 'string' ? text : key;
  };
}

/** The name of a field for people; the field itself if it has none. */
export function titleOfField(field: string): string {
  const text = createCatalogueText('cemm-format');
  const name = lineName(field, (key, words) => {
    const found = text(key, { ...words });
    return found === key ? null : found;
  });
  return name ?? field;
}
