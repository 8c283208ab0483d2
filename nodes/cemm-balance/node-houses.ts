/**
 * The houses whose messages a balance node adds up: in the user folder, or in the context of the node. Houses by readings of the demo
 * monitor are apart from the others, and never in the user folder.
 */
import type { EnergyPayload, MessageContext } from '../../src/balance/messages/add-message';
import { type House, Houses, type HouseStore } from '../../src/balance/messages/houses';
import { KeptHouses } from '../../src/balance/messages/kept-houses';
import type { Time } from '../../src/balance/prices/contracts';
import type { PastDays } from '../../src/store/past-days';
import { systemClock } from '../../src/time/clock';
import { defaultKeptDays } from '../cemm-connection/default-kept-days';
import { findConnection, findMode } from '../lib/run/connection-node';
import { forgetsContext, namedStore } from '../lib/run/context-store';
import { contextHouses, housesOfBefore } from './context-houses';
import type { BalanceNode } from './spans';

/** True for a reading of the demo monitor. A delivery is of another monitor. */
export function isOfSimulated({ source }: EnergyPayload): boolean {
  return source.transport === 'demo';
}

export class NodeHouses {
  private opened: Houses | null = null;
  private kept: KeptHouses | null = null;
  private readonly simulated: Houses;
  private readonly namesOfSimulated = new Set<string>();

  constructor(private readonly parts: BalanceNode) {
    this.simulated = new Houses(contextHouses(namedStore(parts.node, 'simulatedHouses')));
  }

  /** `isAdded` is false if the payload has no energy data. */
  async add(
    payload: EnergyPayload,
    context: MessageContext,
  ): Promise<{ readonly house: House; readonly isAdded: boolean }> {
    const isSimulated = isOfSimulated(payload);
    const houses = isSimulated ? this.simulated : this.delivered();
    const added = await houses.add(payload, context);
    const house = added ?? (await houses.houseOf(payload));
    if (isSimulated) this.namesOfSimulated.add(house.name);
    return { house, isAdded: added !== null };
  }

  /** The houses of one monitor or installation; null: all. */
  async choose(wanted: string | null): Promise<House[]> {
    const delivered = await this.delivered().chosen(wanted);
    const simulated = await this.simulated.chosen(wanted);
    for (const { name } of simulated) this.namesOfSimulated.add(name);
    return [...delivered, ...simulated];
  }

  isSimulated({ name }: House): boolean {
    return this.namesOfSimulated.has(name);
  }

  /** The house with all that is kept of a time. */
  withAllOf(house: House, time: Time): Promise<House> {
    return (this.isSimulated(house) ? this.simulated : this.delivered()).withAllOf(house, time);
  }

  /** A restart loses what is added up. */
  get isForgotten(): boolean {
    const { RED, config } = this.parts;
    // At the start of a node its connection may not be there yet.
    const isKept = config.connection === '' ? config.keepDays : this.opened === null || this.kept !== null;
    return !isKept && forgetsContext(RED);
  }

  /** Writes everything. */
  async close(): Promise<void> {
    await this.kept?.close();
  }

  private delivered(): Houses {
    this.opened ??= new Houses(this.store());
    return this.opened;
  }

  private store(): HouseStore {
    const { RED, node, config } = this.parts;
    const inContext = contextHouses(namedStore(node, 'houses'));
    const other = findMode(RED, config.connection) === 'demo' ? housesOfBefore(inContext) : inContext;
    const past = this.past();
    if (past === null) return other;
    this.kept = new KeptHouses({
      past,
      clock: systemClock,
      other,
      onError: (error) => {
        this.parts.runner.report(error);
      },
    });
    return this.kept;
  }

  /** Null: houses are kept in the context of the node. */
  private past(): PastDays | null {
    const { RED, config } = this.parts;
    if (config.connection === '') return config.keepDays ? defaultKeptDays(RED) : null;
    return findConnection(RED, config.connection).past?.() ?? null;
  }
}
