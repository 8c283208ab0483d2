/** Houses in the context of a node: where nothing is kept in the user folder, and before it was. */
import { houseFrom } from '../../src/balance/messages/houses';
import { joinStates } from '../../src/balance/messages/join-states';
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

/** Simulated monitors have locally administered addresses, which no real device has. */
const simulatedId = /^02[0-9a-f]{10}$/;

/**
 * The houses of a node with a demo connection, whose deliveries had the MAC address of the demo monitor until version 0.2. Such a house
 * has the number of its own monitor as well: it moves to the name that it has by this number.
 */
export function housesOfBefore(houses: OtherHouses): OtherHouses {
  let moved: Promise<void> | null = null;

  async function moveAll(): Promise<void> {
    for (const name of await houses.names()) if (simulatedId.test(name)) await move(name);
  }

  async function move(name: string): Promise<void> {
    const house = houseFrom(name, await houses.read(name));
    const cemm = house?.monitor.cemm;
    if (house === null || cemm === undefined) return;
    const own = String(cemm);
    const known = houseFrom(own, await houses.read(own));
    const state = known === null ? house.state : joinStates(known.state, house.state);
    await houses.write(own, { monitor: { id: null, cemm }, state }, -Infinity);
    await houses.remove(name);
  }

  const ready = (): Promise<void> => {
    moved ??= moveAll().catch((error: unknown) => {
      moved = null;
      throw error;
    });
    return moved;
  };

  return {
    ...houses,
    names: async () => {
      await ready();
      return houses.names();
    },
    read: async (name) => {
      await ready();
      return houses.read(name);
    },
  };
}
