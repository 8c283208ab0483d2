/** Every kind of payload through every format: a result or an error with a reason, and nothing in between. */
import should from 'should';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import { formats as names } from '../../../src/checks/limits';
import { isRecord } from '../../../src/checks/record';
import { CemmError } from '../../../src/errors';
import { topicOf } from '../../../src/model/identity';
import { valid, withSchemas } from '../../support/model/wire';
import { describeFormatError, thrownBy } from '../../support/formats/errors';
import { everyKind, houseDay, houseNow, realtime, series, timeseries, webhook } from '../../support/formats/payloads';

/** The formats for single readings, of any age. */
const ofReadings = names.filter(
  (name) => !/^(?:homeassistant-history|openmetrics|homewizard|prices|price-list)$/.test(name),
);
type KindName = keyof typeof everyKind;

/** The formats of past hours, of now and of prices accept few kinds. */
const ofFew = {
  'homeassistant-history': 'UNSUPPORTED not_hourly',
  homewizard: 'UNSUPPORTED not_current',
  prices: 'UNSUPPORTED no_prices',
  'price-list': 'INPUT price_list',
} as const;

/** Most formats make one message of each kind. */
const ofMost = {
  ...ofFew,
  values: 1,
  rows: 1,
  chart: 1,
  influx: 1,
  'influx-lines': 1,
  senml: 1,
  openmetrics: 1,
} as const;

const ofPoints = { ...ofMost, values: 'UNSUPPORTED many_points', homeassistant: 'UNSUPPORTED not_current' } as const;

/** Number of messages, or the reason why there is none. */
const expected: Record<KindName, Record<FormatName, number | string>> = {
  realtime: { ...ofMost, homeassistant: 5, homewizard: 1 },
  water: { ...ofMost, homeassistant: 5, homewizard: 1 },
  totals: { ...ofMost, homeassistant: 5 },
  series: { ...ofPoints, openmetrics: 'UNSUPPORTED not_current' },
  webhook: { ...ofMost, values: 2, homeassistant: 7 },
  timeseries: ofPoints,
  nameless: {
    ...ofPoints,
    influx: 'INPUT no_monitor',
    'influx-lines': 'INPUT no_monitor',
    senml: 'INPUT no_monitor',
  },
  // It was received in any case.
  unknownDelivery: { ...everywhere('UNSUPPORTED unknown_delivery'), openmetrics: 1 },
  monitor: everywhere('UNSUPPORTED nothing_measured'),
  meter: everywhere('UNSUPPORTED nothing_measured'),
  offline: { ...ofMost, homeassistant: 1 },
  problem: { ...ofMost, homeassistant: 'UNSUPPORTED not_a_state' },
  houseNow: { ...ofMost, homeassistant: 4 },
  houseDay: {
    ...ofMost,
    homeassistant: 3,
    'homeassistant-history': 2,
    openmetrics: 'UNSUPPORTED not_current',
  },
};

function everywhere(why: string): Record<FormatName, string> {
  return {
    ...ofFew,
    values: why,
    rows: why,
    chart: why,
    influx: why,
    'influx-lines': why,
    senml: why,
    homeassistant: why,
    openmetrics: why,
  };
}

describe('the payloads of these tests', () => {
  withSchemas();

  it('keep to the schemas', () => {
    for (const payload of Object.values(everyKind)) valid(payload);
  });
});

describe('formats', () => {
  for (const name of names) {
    for (const [kind, payload] of Object.entries(everyKind) as [KindName, (typeof everyKind)[KindName]][]) {
      const outcome = expected[kind][name];
      it(`${name} of ${kind}: ${outcome}`, () => {
        const before = structuredClone(payload);
        const format = createFormatter(name);
        if (typeof outcome === 'string') describeFormatError(() => format({ payload })).should.equal(outcome);
        else format({ payload }).should.have.length(outcome);
        should.deepEqual(payload, before);
      });
    }
  }

  for (const name of ofReadings) {
    it(`${name} accepts a payload that was stored as JSON`, () => {
      const through: unknown = JSON.parse(JSON.stringify(realtime));
      createFormatter(name)({ payload: through }).should.deepEqual(createFormatter(name)({ payload: realtime }));
    });

    it(`${name} never sends 0 for a missing value`, () => {
      const empty = { ...realtime, values: { power_w: null, tariff: null } };
      const text = JSON.stringify(createFormatter(name)({ payload: empty }).map(({ payload }) => payload));
      text.should.not.match(/power_w":\s*0|power_w=0|"value":0|"v":0/);
    });
  }

  it('keep the topic of the payload, except for Home Assistant and for the meters of a delivery', () => {
    for (const name of ['rows', 'chart', 'influx', 'influx-lines', 'senml'] as const) {
      for (const payload of [realtime, series, webhook]) {
        const [message] = createFormatter(name)({ payload });
        should(message?.topic).equal(topicOf(payload));
      }
    }
  });

  it('WB22: separate two installations whose deliveries have no monitor number', () => {
    for (const name of ['rows', 'influx', 'influx-lines', 'senml'] as const) {
      const [first, second] = ['house-1', 'house-2'].map((installation) => {
        const [message] = createFormatter(name)({ payload: { ...timeseries, installation } });
        should(message?.topic).equal(`cemm/${installation}/webhook`);
        return JSON.stringify(message?.payload);
      });
      should(first).containEql('house-1');
      should(second).containEql('house-2');
    }
    const current = { ...webhook, monitor: { id: null }, installation: 'house-1' };
    const topics = createFormatter('homeassistant')({ payload: current }).map(({ topic }) => topic);
    topics.should.containEql('cemm/house-1/dsmr/state');
  });

  it('convert the known parts of a delivery with raw', () => {
    const partly = { ...webhook, raw: { data: { dsmr: 'not a meter' } } };
    for (const name of ofReadings) {
      createFormatter(name)({ payload: partly }).should.deepEqual(createFormatter(name)({ payload: webhook }));
    }
  });

  it('send nothing without a value, except in formats with null', () => {
    const empty = { ...realtime, values: { power_w: null } };
    const counts = new Map(ofReadings.map((name) => [name, createFormatter(name)({ payload: empty }).length]));
    should(Object.fromEntries(counts)).deepEqual({
      values: 1,
      rows: 1,
      chart: 0,
      influx: 0,
      'influx-lines': 0,
      senml: 0,
      // The meter did answer.
      homeassistant: 2,
    });
  });
});

/** The others take payloads of the package. */
const ofPayloads = names.filter((name) => name !== 'price-list');

describe('an invalid payload', () => {
  const broken: [string, unknown, string][] = [
    ['nothing', undefined, 'not_a_payload'],
    ['null', null, 'not_a_payload'],
    ['a text', 'on', 'not_a_payload'],
    ['a number', 12, 'not_a_payload'],
    ['a list with something else', [realtime, 12], 'not_a_payload'],
    ['an object without a version', { kind: 'realtime' }, 'not_a_payload'],
    ['another version', { ...realtime, schema: 'cemm/2' }, 'other_version'],
    ['another kind', { ...realtime, kind: 'toString' }, 'not_a_payload'],
    ['no moment', { ...realtime, ts: '2026-10-25' }, 'not_a_payload'],
    ['a moment beyond all calendars', { ...realtime, ts: 1e300 }, 'not_a_payload'],
    ['no monitor', { ...realtime, monitor: undefined }, 'not_a_payload'],
    ['no meter', { ...realtime, meter: null }, 'not_a_payload'],
    ['a value that is a text', { ...realtime, values: { power_w: '12' } }, 'not_a_payload'],
    ['a value that is not finite', { ...realtime, values: { power_w: NaN } }, 'not_a_payload'],
    ['points that are none', { ...series, points: [{ power_w: 1 }] }, 'not_a_payload'],
    ['fields without units', { ...series, fields: { power_w: {} } }, 'not_a_payload'],
    ['an installation that is no text', { ...webhook, installation: 5 }, 'not_a_payload'],
    ['a balance without a step', { ...houseDay, period: { ...houseDay.period, step: 'P1W' } }, 'not_a_payload'],
    ['a balance whose cost is a text', { ...houseDay, cost: { ...houseDay.cost, total: '1.48' } }, 'not_a_payload'],
    ['a balance without the moment of its reading', { ...houseNow, source: {} }, 'not_a_payload'],
    ['readings without a meter', { ...webhook, readings: [{ field: 'power_w', value: 1 }] }, 'not_a_payload'],
  ];
  for (const name of ofPayloads) {
    for (const [what, payload, reason] of broken) {
      it(`${name} refuses ${what}`, () => {
        describeFormatError(() => createFormatter(name)({ payload })).should.equal(`INPUT ${reason}`);
      });
    }
  }

  for (const name of ofPayloads.filter((known) => known !== 'openmetrics' && known !== 'homewizard')) {
    it(`${name} refuses a list of payloads`, () => {
      describeFormatError(() => createFormatter(name)({ payload: [realtime] })).should.equal('INPUT not_a_payload');
    });
  }

  it('is an error with a reason, whatever a function node did to a property', () => {
    for (const [kind, payload] of Object.entries(everyKind)) {
      for (const changed of withOtherValues({ meter: undefined, timezone: undefined, ...payload })) {
        for (const name of names) {
          try {
            createFormatter(name)({ payload: changed });
          } catch (error) {
            should(error).be.instanceOf(CemmError, `${name} of ${kind}: ${String(error)}`);
          }
        }
      }
    }
  });

  it('names the invalid property, and quotes nothing of its content', () => {
    const payload = { ...realtime, values: { power_w: 'geheim' } };
    const { message, params } = thrownBy(() => createFormatter('rows')({ payload }));
    params.should.deepEqual({ path: 'values' });
    message.should.not.match(/geheim/);
  });
});

/** The record with another value for one of its properties, or for one of theirs. */
function* withOtherValues(payload: object): Generator<object> {
  for (const [property, present] of Object.entries(payload)) {
    for (const other of [undefined, null, 5, 'x', [], {}]) yield { ...payload, [property]: other };
    if (!isRecord(present)) continue;
    for (const inner of withOtherValues(present)) yield { ...payload, [property]: inner };
  }
}
