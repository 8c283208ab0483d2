/** Houses in the context of a node: where nothing is kept in the user folder, and before it was. */
import type { OtherHouses } from '../../src/balance/messages/kept-houses';
import type { NamedStore } from '../lib/run/context-store';

export function contextHouses(context: NamedStore): OtherHouses {
  return {
    names: async () => Object.keys(await context.all()),
    read: (name) => context.read(name),
    write: (name, house) => context.write(name, house),
    remove: (name) => context.remove(name),
  };
}
