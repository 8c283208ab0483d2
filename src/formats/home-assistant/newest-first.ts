/**
 * The order of the components in a discovery message: those that were not in the previous one come first. Home Assistant skips
 * every component that follows one that it is still setting up (`async_discovery_message_received` in
 * `homeassistant/components/mqtt/discovery.py` of 2026.11), so a new sensor behind a known one would be missing until its next start.
 */
export class NewestFirst {
  private keys: readonly string[] = [];

  /** The same entries in the order in which they are sent. Without new ones the order stays as it was. */
  arranged<Component>(components: ReadonlyMap<string, Component>): (readonly [string, Component])[] {
    const known = new Set(this.keys);
    const added = [...components.keys()].filter((key) => !known.has(key));
    this.keys = [...added, ...this.keys];
    return this.keys.flatMap((key) => {
      const component = components.get(key);
      return component === undefined ? [] : [[key, component] as const];
    });
  }
}
