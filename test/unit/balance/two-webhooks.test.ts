/** One monitor with a webhook for each meter: what is known of a meter is known over all deliveries. */
import should from 'should';
import { balanceOfHouse, Houses, type HouseStore } from '../../../src/balance/messages/houses';
import { PresentHouses } from '../../../src/balance/messages/present-houses';
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import type { WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { period, SOURCE, zone } from '../../support/balance/small-house';

const day = period('2026-06-15');

class Kept implements HouseStore {
  private readonly houses: Record<string, unknown> = {};

  names(): Promise<string[]> {
    return Promise.resolve(Object.keys(this.houses));
  }

  read(name: string): Promise<unknown> {
    return Promise.resolve(this.houses[name]);
  }

  write(name: string, house: object): Promise<void> {
    this.houses[name] = JSON.parse(JSON.stringify(house));
    return Promise.resolve();
  }
}

function delivery(ts: number, meter: string, values: Readonly<Record<string, number>>): WebhookPayload {
  const readings = Object.entries(values).map(([field, value]): WebhookReading => ({
    meter,
    channel: '',
    topic: field.startsWith('power') ? 'realtime' : 'reading',
    field,
    value,
    unit: '',
    unitSource: 'specification',
    ts,
  }));
  return {
    schema: 'cemm/1',
    kind: 'webhook',
    id: `wh:${meter}:${ts}`,
    ts,
    time: '',
    monitor: { id: null, cemm: 7 },
    values: {},
    readings,
    source: { ...SOURCE, transport: 'webhook' },
    delivery: { format: 'basic-v1', verified: [], ageMs: 0, bytes: 1, replayCheck: 'none' },
  };
}

/** 10 kWh of import, 4 of export, and 12 of sun. */
const smartmeter = (ts: number): WebhookPayload => {
  const share = (ts - day.start) / (day.end - day.start);
  const [taken, given] = [100 + 10 * share, 50 + 4 * share];
  return delivery(ts, 'smartmeter', { energy_import_t1_kwh: 0, energy_import_kwh: taken, energy_export_kwh: given });
};
const roof = (ts: number, meter: string): WebhookPayload =>
  delivery(ts, meter, { energy_export_kwh: 300 + (12 * (ts - day.start)) / (day.end - day.start) });

async function addAll(store: HouseStore, payloads: readonly WebhookPayload[]): Promise<Houses> {
  const houses = new Houses(store);
  for (const payload of payloads) await houses.add(payload, { timezone: zone, now: payload.ts });
  return houses;
}

async function balanceOf(houses: Houses, choice: MeterChoice) {
  const [house] = await houses.chosen(null);
  if (house === undefined) throw new Error('Nothing was added.');
  return balanceOfHouse(house, choice, { period: day, step: 'PT1H', prices: null, now: day.end + hourMs });
}

describe('a monitor with a webhook for each meter', () => {
  const moments = Array.from({ length: 25 }, (_, hour) => day.start + hour * hourMs);

  it('BA26: has no use of the house as long as a meter that may be an inverter is unknown', async () => {
    for (const first of ['smartmeter', 'dak']) {
      // Each webhook has its own time.
      const payloads = moments.flatMap((ts) => {
        return first === 'dak' ? [roof(ts - 1000, 'dak'), smartmeter(ts)] : [smartmeter(ts), roof(ts + 1000, 'dak')];
      });
      const store = new Kept();
      await addAll(store, payloads);
      // As after a restart.
      const found = await balanceOf(new Houses(store), everyMeter);
      const { values, missing, complete, unknownMeters, points = [], coverage } = found;
      should(unknownMeters).eql(['dak']);
      should(values['energy_import_kwh']).be.approximately(10, 1e-6);
      should(values['energy_net_kwh']).be.approximately(6, 1e-6);
      should(values['energy_house_kwh']).equal(null);
      should(missing).eql({ energy_house_kwh: 'unknown_meter' });
      should(coverage['energy_import_kwh']).equal(1);
      should(complete).equal(false);
      should(points.every((point) => point['energy_house_kwh'] === null)).equal(true);
    }
  });

  it('has it with the meter in a list, and with a key that says sun', async () => {
    const named: MeterChoice = { ...everyMeter, production: ['dak'] };
    for (const [meter, choice] of [
      ['dak', named],
      ['zon', everyMeter],
    ] as const) {
      const payloads = moments.flatMap((ts) => [smartmeter(ts), roof(ts, meter)]);
      const { values, complete, unknownMeters } = await balanceOf(await addAll(new Kept(), payloads), choice);
      should(values['energy_house_kwh']).be.approximately(18, 1e-6);
      should(values['energy_self_consumed_kwh']).be.approximately(8, 1e-6);
      should(complete).equal(true);
      should(unknownMeters).be.undefined();
    }
  });

  it('knows of a meter with a power alone, also for this moment', async () => {
    const store = new Kept();
    const houses = new Houses(store);
    const present = new PresentHouses();
    const at = day.start + 12 * hourMs;
    const context = { choice: everyMeter, intervalMs: 60_000, timezone: zone, now: at };
    const add = async (payload: WebhookPayload) => {
      await houses.add(payload, context);
      return present.read(await houses.houseOf(payload), payload, context);
    };
    await add(delivery(at, 'garage', { power_w: -588 }));
    const [now] = await add(delivery(at, 'p1', { power_w: -588 }));
    should(now?.values).eql({ power_import_w: 0, power_export_w: 588, power_house_w: null });
    should(now?.missing).eql({ power_house_w: 'unknown_meter' });
    should(now?.unknownMeters).eql(['garage']);
    // Powers alone are not added up.
    should(await store.names()).eql([]);
    const later = { ...context, now: at + 3 * 24 * hourMs };
    should(present.current(await houses.houseOf(smartmeter(at)), later).unknownMeters).be.undefined();
  });
});
