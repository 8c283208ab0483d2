/** A battery in the formats: its fields as sensors, statistics, metrics, bars and points. */
import should from 'should';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import type { HaDiscovery } from '../../../src/formats/home-assistant/discovery';
import type { BalancePayload, RealtimePayload } from '../../../src/model/payload';
import { readOpenMetrics } from '../../support/formats/exposition';
import { houseDay, houseNow, MAC, realtime, S, T } from '../../support/formats/payloads';
import { discoveryFlaws, valueSensors } from '../../support/home-assistant/discovery-rules';

const battery: RealtimePayload = {
  ...realtime,
  meter: { alias: 'mb6', role: 'battery' },
  values: {
    power_w: 800,
    power_battery_w: -800,
    energy_battery_charged_t1_kwh: 20,
    energy_battery_charged_t2_kwh: 10,
    energy_battery_charged_kwh: 30,
    energy_battery_discharged_kwh: 25,
    energy_net_kwh: 5,
  },
  times: {},
  missing: {},
};
const withBattery = {
  meters: { ...houseDay.meters, battery: ['mb6'] },
  values: { energy_battery_charged_kwh: 1.5, energy_battery_discharged_kwh: 0.75 },
};
const day: BalancePayload = {
  ...houseDay,
  meters: withBattery.meters,
  values: { ...houseDay.values, ...withBattery.values },
  counters: {
    ...houseDay.counters,
    energy_battery_charged_kwh: { start: [S, 100], end: null },
    energy_battery_discharged_kwh: { start: [S, 80], end: null },
  },
  points: (houseDay.points ?? []).map((point, hour) =>
    Object.assign(
      {},
      point,
      hour === 0
        ? { energy_battery_charged_kwh: 1.5, energy_battery_discharged_kwh: 0 }
        : { energy_battery_charged_kwh: 0, energy_battery_discharged_kwh: 0.75 },
    ),
  ),
};
/** The sun gives 500 W, the grid 200 W, and the battery takes 300 W of it. */
const now: BalancePayload = {
  ...houseNow,
  meters: withBattery.meters,
  values: { ...houseNow.values, power_battery_w: -300, power_house_w: 400, power_self_consumed_w: 500 },
};

/** True for the state of the current balance. */
function isNow(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'power_battery_w' in payload;
}

function messages(format: FormatName, payload: BalancePayload | RealtimePayload): unknown[] {
  return createFormatter(format)({ payload }).map((message) => message.payload);
}

function sensorsOf(payload: BalancePayload | RealtimePayload) {
  const [discovery] = createFormatter('homeassistant')({ payload });
  discoveryFlaws(discovery?.topic ?? '', discovery?.payload).should.deepEqual([]);
  return Object.values(valueSensors(discovery?.payload as HaDiscovery));
}

describe('a battery in Home Assistant', () => {
  it('is a power and two energies that the Energy dashboard accepts, and they are enabled', () => {
    const sensors = sensorsOf(battery);
    const enabled = sensors.filter(({ enabled_by_default = true }) => enabled_by_default);
    should(
      enabled.map(({ name, device_class, state_class, unit_of_measurement }) =>
        [name, device_class, state_class, unit_of_measurement].join(' · '),
      ),
    ).containDeep([
      'mb6 power battery · power · measurement · W',
      'mb6 energy battery charged · energy · total_increasing · kWh',
      'mb6 energy battery discharged · energy · total_increasing · kWh',
    ]);
    const disabled = sensors.filter(({ enabled_by_default = true }) => !enabled_by_default).map(({ name }) => name);
    should(disabled).containDeep(['mb6 power', 'mb6 energy net']);
  });

  it('is part of the house, whose self-sufficiency then is 1 − import ÷ house', () => {
    const ids = sensorsOf(now).map(({ unique_id }) => unique_id);
    should(ids).containEql(`cemm_${MAC}_balance_now_power_battery_w`);
    const state = messages('homeassistant', now).find(isNow);
    should(state).containEql({ power_battery_w: -300, self_sufficiency: 50 });
    const unknown = { ...now, values: { ...now.values, power_house_w: null } };
    const without = messages('homeassistant', unknown).find(isNow);
    should(without).containEql({ self_sufficiency: null });
    const sums = sensorsOf(day).filter(({ unique_id }) => /battery_(dis)?charged/.test(unique_id));
    should(sums.map(({ state_class, device_class }) => [state_class, device_class])).deepEqual([
      ['total', 'energy'],
      ['total', 'energy'],
    ]);
  });

  it('has statistics of both directions in the history, and none without a battery', () => {
    const idsOf = (payload: BalancePayload): unknown[] =>
      createFormatter('homeassistant-history')({ payload: { ...payload, source: { ...payload.source, fetchedAt: T } } })
        .map(({ topic }) => topic)
        .filter((topic) => /battery/.test(topic));
    should(idsOf(day)).deepEqual([
      `cemm:${MAC}_energy_battery_charged_kwh`,
      `cemm:${MAC}_energy_battery_discharged_kwh`,
    ]);
    should(idsOf(houseDay)).deepEqual([]);
  });
});

describe('a battery in other formats', () => {
  it('is a gauge and two counters for Prometheus', () => {
    const req = { headers: { accept: 'application/openmetrics-text' } };
    const [answer] = createFormatter('openmetrics', { now: () => battery.ts })({ payload: battery, req });
    const text = String(answer?.payload);
    const families = readOpenMetrics(text);
    const found = [...families].map((family) => JSON.stringify(family)).filter((line) => line.includes('battery'));
    should(found.some((line) => /power_battery/.test(line) && line.includes('gauge'))).be.true();
    should(found.filter((line) => /battery_(dis)?charged/.test(line) && line.includes('counter')).length).be.above(1);
  });

  it('is bars: the discharge above zero, the charge below', () => {
    const [bars] = messages('chart', day) as { series: string; ts: number; value: number }[][];
    const of = (name: string) => bars?.filter(({ series }) => series === name).map(({ ts, value }) => [ts, value]);
    should(of('Battery discharged')).deepEqual([
      [S, 0],
      [S + 3_600_000, 0.75],
    ]);
    should(of('Battery charged')).deepEqual([
      [S, -1.5],
      [S + 3_600_000, 0],
    ]);
    const [lines] = messages('chart', now) as { series: string; value: number }[][];
    should(lines?.find(({ series }) => series === 'Battery')?.value).equal(-300);
    const [ofMeter] = messages('chart', battery) as { series: string; value: number }[][];
    should(ofMeter?.map(({ value }) => value)).deepEqual([-800]);
  });

  it('is fields for InfluxDB and values', () => {
    const [points] = messages('influx', now) as { fields: Record<string, number> }[][];
    should(points?.[0]?.fields).containEql({ power_battery_w: -300 });
    should(messages('values', day)[0]).containEql({
      energy_battery_charged_kwh: 1.5,
      energy_battery_discharged_kwh: 0.75,
    });
  });
});
