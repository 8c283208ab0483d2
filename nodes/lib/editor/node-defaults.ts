/** Defaults that an administrator has set (`nodeDefaults` in settings.js): the editor has put them into the registered type. */

export function isSetByAdministrator(nodeType: string, property: string): boolean {
  return RED.settings.nodeDefaults?.[nodeType]?.[property] !== undefined;
}

/** The value of a new node of this type. */
export function defaultIn(nodeType: string, property: string): unknown {
  return RED.nodes.getType(nodeType)?.defaults[property]?.value;
}
