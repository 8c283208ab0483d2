/** Sentences of a node type's catalogue, in the viewer's language. */
export type CatalogueText = (key: string, values?: Record<string, string | number>) => string;

/** Works without a node at hand: validators also run on nodes that are only being imported. */
export function catalogueOf(nodeType: string): CatalogueText {
  return (key, values) => {
    // What a request may fail with is shipped once, with the connection.
    const set = key.startsWith('error.') ? 'cemm-connection' : nodeType;
    return RED._(`node-red-contrib-cemm/${set}:${key}`, values);
  };
}
