/** Sentences of a node type's catalogue, in the viewer's language. */
export type CatalogueText = (key: string, values?: Record<string, string | number>) => string;

/** Works without a node at hand: validators also run on nodes that are only being imported. */
export function catalogueOf(nodeType: string): CatalogueText {
  // The editor takes the first that exists: what several types say is shipped once, with the connection.
  return (key, values) => {
    const keys = [nodeType, 'cemm-connection'].map((set) => `node-red-contrib-cemm/${set}:${key}`);
    // As nodes/lib/translate.ts; the editor answers with the keys where it has no text.
    const text: unknown = RED._(keys, { ...values, returnObjects: 1 });
    return typeof text === 'string' ? text : key;
  };
}
