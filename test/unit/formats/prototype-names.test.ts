/** Meters and channels with the names of inherited object members, through deliveries and readings into every format. */
import should from 'should';
import { lineName } from '../../../nodes/lib/run/line-name';
import { createTranslate } from '../../../nodes/lib/run/translate';
import { CemmError } from '../../../src/errors';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import { formats } from '../../../src/checks/limits';
import type { Formatted } from '../../../src/formats/formatted';
import { deliveryId, DeliveryNormalizer } from '../../../src/model/delivery';
import type { BalancePayload, Payload } from '../../../src/model/payload';
import { readDelivery } from '../../../src/protocol/delivery';
import { parseJson } from '../../../src/protocol/json';
import { millis } from '../../../src/time/units';
import { catalogueLookup } from '../../support/editor/catalogue-lookup';
import { prototypeNames } from '../../support/prototype-names';
import { plainContext } from '../../support/webhook/context';
import { houseDay, houseNow, MAC, realtime, series, T, totals } from '../../support/formats/payloads';

/** `__proto__` is not an ordinary property: JSON with it is refused before it is read. */
const sent = prototypeNames.filter((name) => name !== '__proto__');

function delivered(meter: string, channel: string): Payload {
  const record = { time: T / 1000, value: 5 };
  const body = { format: 'basic-v1', cemm: 1, time: T / 1000, data: { [meter]: { [channel]: { realtime: record } } } };
  const delivery = readDelivery(parseJson(Buffer.from(JSON.stringify(body))));
  const arrival = {
    at: millis(T),
    latencyMs: 1,
    bytes: 100,
    verified: [],
    keyUsed: null,
    replayCheck: 'none',
  } as const;
  const id = deliveryId(delivery, plainContext, arrival.at, 'a'.repeat(64));
  return new DeliveryNormalizer().payload(delivery, plainContext, { ...arrival, id });
}

/** An object with this own property, even `__proto__`. */
const own = <Value>(name: string, value: Value): Record<string, Value> => Object.fromEntries([[name, value]]);

function balanceOf(payload: BalancePayload, name: string): BalancePayload {
  return { ...payload, values: { ...payload.values, ...own(name, 5) } };
}

function payloadsOf(name: string): Payload[] {
  return [
    ...(sent.includes(name) ? [delivered(name, name), delivered('p1', name), delivered(name, 'gas')] : []),
    { ...realtime, meter: { alias: name, role: null, label: name }, values: own(name, 5), times: own(name, T) },
    { ...realtime, monitor: { id: MAC, name, type: name }, values: own(name, 5) },
    { ...totals, meter: { alias: name, role: null }, values: own(name, 5) },
    { ...series, meter: { alias: name, role: null }, points: [{ ts: T, ...own(name, 5) }] },
    balanceOf(houseNow, name),
    balanceOf(houseDay, name),
  ];
}

/** A payload of the formats that do not accept a reading. */
const valid: Partial<Readonly<Record<FormatName, unknown>>> = {
  'homeassistant-history': houseDay,
  prices: {
    ...houseDay,
    view: 'prices',
    points: [{ ts: T, end: T + 3_600_000, price_import: 0.25, price_export: 0.05 }],
  },
  'price-list': { Prices: [{ readingDate: '2026-07-01T00:00:00Z', price: 0.1 }] },
};

/** Called as in the node: `RED._` returns inherited object members. */
const translate = createTranslate(catalogueLookup(['cemm-format', 'cemm-connection']));

function formatterOf(format: FormatName) {
  const names = (field: string) => translate(`device.${field}`) ?? lineName(field, translate);
  return createFormatter(format, { names, now: () => T });
}

describe('names of Object.prototype', () => {
  for (const format of formats) {
    it(`are ordinary names in format ${format}`, () => {
      const ofAll = formatterOf(format);
      for (const name of [...prototypeNames, 'no_such_name']) {
        for (const payload of payloadsOf(name)) {
          const messages = [ofAll, formatterOf(format)].map((convert) => outcomeOf(() => convert({ payload })));
          for (const message of messages) should(message).not.match(/native code|returned an object|\[object/);
        }
      }
      const after = ofAll({ payload: valid[format] ?? realtime });
      after.should.be.an.Array();
    });
  }

  for (const format of ['values', 'rows', 'influx', 'senml', 'openmetrics', 'chart', 'homeassistant'] as const) {
    it(`keep their value in format ${format}`, () => {
      for (const name of sent) {
        const payload = delivered(name, name);
        const messages = formatterOf(format)({ payload });
        should(JSON.stringify(messages.map(({ payload: made }) => made))).match(/5/, name);
        should(JSON.stringify(messages)).containEql(name);
      }
    });
  }
});

/** The messages as text, or the reason why there are none. */
function outcomeOf(work: () => Formatted[]): string {
  try {
    return work().map(textOf).join('\n');
  } catch (thrown) {
    if (thrown instanceof CemmError) return thrown.reason ?? thrown.code;
    throw thrown;
  }
}

function textOf({ topic, payload }: Formatted): string {
  return `${topic} ${typeof payload === 'string' ? payload : JSON.stringify(payload)}`;
}
