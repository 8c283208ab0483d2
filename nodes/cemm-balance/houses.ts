/** The houses whose messages are added up, each by itself, in the context of the node. */
import type { Node } from 'node-red';
import { CemmError } from '../../src/errors';
import { addMessage, emptyState, type MessageContext, type MessagesState } from '../../src/balance/messages';
import { readState } from '../../src/balance/stored-state';
import { originOf } from '../../src/model/identity';
import type { MonitorInfo, RealtimePayload, TotalsPayload, WebhookPayload } from '../../src/model/payload';
import { toMonitorId } from '../../src/protocol/mac';
import { isRecord, namedStore, type NamedStore } from '../lib/context-store';

export type EnergyPayload = RealtimePayload | TotalsPayload | WebhookPayload;

export interface House {
  readonly name: string;
  readonly monitor: MonitorInfo;
  readonly installation: string | undefined;
  readonly state: MessagesState;
}

/** A state takes up to half a megabyte. */
const mostHouses = 200;

export class Houses {
  private readonly store: NamedStore;
  private houses: Map<string, House> | null = null;

  constructor(node: Node) {
    this.store = namedStore(node, 'houses');
  }

  /** Adds it to its house and stores that. Null where it says nothing of energy. @throws CemmError INPUT `too_many_houses`, CONFIG `context_store` */
  async add(payload: EnergyPayload, context: MessageContext): Promise<House | null> {
    const houses = await this.all();
    const house = await this.houseOf(payload);
    if (!addMessage(house.state, payload, context)) return null;
    houses.set(house.name, house);
    const { name, monitor, installation, state } = house;
    await this.store.write(name, { monitor, ...(installation !== undefined && { installation }), state });
    return house;
  }

  /** The house that the payload is of; a new one is kept only once there is something to keep. */
  async houseOf(payload: EnergyPayload): Promise<House> {
    const houses = await this.all();
    const name = originOf(payload) ?? 'unknown';
    const known = houses.get(name);
    if (known !== undefined) return known;
    if (houses.size >= mostHouses) {
      throw new CemmError('INPUT', { reason: 'too_many_houses', params: { most: mostHouses } });
    }
    const installation = payload.kind === 'webhook' ? payload.installation : undefined;
    return { name, monitor: { ...payload.monitor }, installation, state: emptyState() };
  }

  /** Those of one monitor or installation; null: all. */
  async chosen(name: string | null): Promise<House[]> {
    const all = [...(await this.all()).values()];
    if (name === null) return all;
    const wanted = toMonitorId(name) ?? name;
    return all.filter((house) => house.name === wanted || house.installation === wanted);
  }

  private async all(): Promise<Map<string, House>> {
    this.houses ??= new Map(
      Object.entries(await this.store.all()).flatMap(([name, stored]) => {
        const house = houseFrom(name, stored);
        return house === null ? [] : [[name, house] as const];
      }),
    );
    return this.houses;
  }
}

/** Null where it is none. */
function houseFrom(name: string, stored: unknown): House | null {
  if (!isRecord(stored)) return null;
  const state = readState(stored['state']);
  const { monitor, installation } = stored;
  if (state === null || !isRecord(monitor)) return null;
  const { id, cemm, name: ownName } = monitor;
  return {
    name,
    monitor: {
      id: typeof id === 'string' ? id : null,
      ...(typeof cemm === 'number' && { cemm }),
      ...(typeof ownName === 'string' && { name: ownName }),
    },
    installation: typeof installation === 'string' ? installation : undefined,
    state,
  };
}
