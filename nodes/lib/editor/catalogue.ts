/** Sentences of a node type's catalogue, in the viewer's language. */
export type CatalogueText = (key: string, values?: Record<string, string | number>) => string;

/** Needs no node: validators also run while nodes are being imported. */
export function catalogueOf(nodeType: string): CatalogueText {
  // The editor uses the first key that exists. Texts of several types are shipped once, with the connection.
  return (key, values) => {
    const keys = [nodeType, 'cemm-connection'].map((set) => `node-red-contrib-cemm/${set}:${key}`);
    // As in nodes/lib/translate.ts; without a text the editor returns the keys.
    const text: unknown = RED._(keys, { ...values, returnObjects: 1 });
    return typeof text === 'string' ? text : key;
  };
}
