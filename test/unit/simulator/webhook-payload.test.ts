import { createHmac } from 'node:crypto';
import should from 'should';
import { createHousehold, type Household, type Minute } from '../../../src/simulator/household';
import { buildDelivery, createAverages, signBody, type ValueRecord } from '../../../src/simulator/webhook-payload';
import { chooseHouse } from '../../../src/simulator/houses';
import {
  type ChannelClass,
  type Topic,
  topics,
  topicWindow,
  webhookMeters,
} from '../../../src/simulator/webhook-channels';
import { minuteMs, hourMs, millis } from '../../../src/time/units';

const at = moment('2026-10-26T10:30:00Z');
const household = createHousehold({ now: at });

function moment(text: string) {
  return millis(Date.parse(text));
}

function record(of: Household, when: string, meter: string, channel: string, topic: Topic): ValueRecord | null {
  const value = buildDelivery(of, 7, moment(when), [topic]).data[meter]?.[channel]?.[topic];
  if (value === undefined) throw new Error(`${meter} ${channel} ${topic} is not there at all`);
  return value;
}

function minutes(from: string, to: string): Minute[] {
  const found: Minute[] = [];
  for (let time = Date.parse(from); time < Date.parse(to); time += minuteMs) found.push(household.minute(millis(time)));
  return found;
}

function sum(from: string, to: string, of: (minute: Minute) => number): number {
  return minutes(from, to).reduce((total, minute) => total + of(minute), 0);
}

function sumOfSteps(from: string, to: string, of: (step: Minute) => number): number {
  let total = 0;
  for (let time = Date.parse(from); time < Date.parse(to); time += 5000) total += of(household.step(millis(time)));
  return total;
}

const bought = ({ gridW }: Minute) => Math.max(gridW, 0);
const sold = ({ gridW }: Minute) => Math.max(-gridW, 0);

describe('Webhook payload', () => {
  it('names format, monitor and start, and sends whole JSON numbers for times', () => {
    const delivery = buildDelivery(household, 24_000_293, millis(at + 678), ['realtime']);
    delivery.format.should.equal('basic-v1');
    delivery.cemm.should.equal(24_000_293);
    delivery.time.should.equal(at / 1000);
    Object.keys(delivery.data).should.eql(['smartmeter-dsmr', 'zon', 'garage', 'water']);
  });

  it('sends the channel keys that were seen on real monitors', () => {
    const { data } = buildDelivery(household, 7, at, ['realtime']);
    const sent = new Set(Object.values(data).flatMap((channels) => Object.keys(channels)));
    const seen =
      'electric_energy_import electric_energy_export electric_energy_import_t1 electric_energy_import_t2 ' +
      'electric_energy_export_t1 electric_energy_export_t2 electric_power_import electric_power_export tariff_import_low ' +
      'tariff_import_high tariff_export_low tariff_export_high electric_usage_power electric_usage_energy voltage volume flow ' +
      'electric_power_l1 electric_energy_import_l1 electric_energy_export_l1';
    [...sent].sort().should.eql(seen.split(' ').sort());
  });

  it('has only the chosen topics under a channel', () => {
    const { data } = buildDelivery(household, 7, at, ['realtime', 'last/day']);
    for (const channels of Object.values(data)) {
      for (const values of Object.values(channels)) Object.keys(values).should.eql(['realtime', 'last/day']);
    }
  });

  it('fits about 5 kB with five topics', () => {
    const body = JSON.stringify(
      buildDelivery(household, 7, at, ['realtime', 'reading', 'this/day', 'last/minute', 'last/day']),
    );
    body.length.should.be.within(4000, 8000);
  });

  describe('null rule 1: topics that do not exist for a class', () => {
    const valid: Record<ChannelClass, string> = {
      //         now  reading | this d m y | last min 15 h d m y
      AVG: '     x    -         x x -       x x x x x -',
      COUNTER: ' -    x         x x x       x x x x x x',
      CALCULATED: '- -          x x x       x x x x x x',
      TARIFF: '  -    -         x x x       x x x x x x',
    };
    const delivery = buildDelivery(household, 7, at, topics);

    for (const meter of webhookMeters(chooseHouse())) {
      for (const channel of meter.channels) {
        it(`${meter.key}:${channel.key} (${channel.class})`, () => {
          const values = delivery.data[meter.key]?.[channel.key];
          const marks = topics.map((topic) => (values?.[topic] ? 'x' : '-'));
          marks.should.eql(valid[channel.class].trim().split(/\s+/));
        });
      }
    }
  });

  describe('null rules 2 and 3: nothing recorded', () => {
    const today = createHousehold({ now: at, since: moment('2026-10-26T00:00:00Z') });

    it('has null for the past day, month and year of a meter that was added today', () => {
      for (const topic of ['last/day', 'last/month', 'last/year'] as const) {
        should(record(today, '2026-10-26T10:30:00Z', 'zon', 'electric_energy_export', topic)).be.null();
        should(record(today, '2026-10-26T10:30:00Z', 'smartmeter-dsmr', 'tariff_import_low', topic)).be.null();
      }
      should(record(today, '2026-10-26T10:30:00Z', 'zon', 'electric_power_export', 'last/month')).be.null();
    });

    it('has what there is since then for today, this month and this year', () => {
      const day = record(today, '2026-10-26T10:30:00Z', 'zon', 'electric_energy_export', 'this/day');
      should(day?.value).be.above(0);
      should(record(today, '2026-10-26T10:30:00Z', 'zon', 'electric_energy_export', 'this/year')).eql(day);
    });

    it('has a past month that is as long as the meter has been there', () => {
      const young = createHousehold({ now: at, since: moment('2026-10-26T12:00:00Z') });
      const month = record(young, '2026-11-02T10:00:00Z', 'smartmeter-dsmr', 'electric_power_import', 'last/month');
      const mean = sum('2026-10-25T23:00:00Z', '2026-10-31T23:00:00Z', bought) / (6 * 24 * 60);
      should(month?.value).be.approximately(mean, 1e-5);
    });

    it('has no average of today in the first moment of the day, and a real zero of energy', () => {
      should(record(household, '2026-10-25T23:00:00Z', 'zon', 'electric_power_export', 'this/day')).be.null();
      should(record(household, '2026-10-25T23:00:00Z', 'zon', 'electric_energy_export', 'this/day')?.value).equal(0);
    });

    it('has nothing at all before the meters were there', () => {
      const { data } = buildDelivery(today, 7, moment('2026-10-20T10:00:00Z'), topics);
      const values = Object.values(data).flatMap((channels) =>
        Object.values(channels).flatMap((of) => Object.values(of)),
      );
      values.length.should.equal(28 * topics.length);
      values.filter((value) => value !== null).should.eql([]);
    });
  });

  describe('values', () => {
    it('are those of the moment for realtime, and the register for reading', () => {
      const now = household.step(at);
      should(record(household, '2026-10-26T10:30:00Z', 'smartmeter-dsmr', 'electric_power_import', 'realtime')).eql({
        time: at / 1000,
        value: bought(now),
      });
      should(
        record(household, '2026-10-26T10:30:00Z', 'smartmeter-dsmr', 'electric_power_export', 'realtime')?.value,
      ).equal(sold(now));
      should(record(household, '2026-10-26T10:30:00Z', 'zon', 'electric_power_export', 'realtime')?.value).equal(
        now.solarW,
      );
      should(record(household, '2026-10-26T10:30:00Z', 'garage', 'electric_power_export', 'realtime')?.value).equal(
        now.garageW,
      );
      const reading = record(
        household,
        '2026-10-26T10:30:00Z',
        'smartmeter-dsmr',
        'electric_energy_import_t2',
        'reading',
      );
      should(reading?.value).be.approximately(household.registers(at).importT2Kwh, 1e-6);
    });

    it('tell import from export at the inverter by night', () => {
      const night = '2026-10-26T01:00:00Z';
      household.minute(moment(night)).solarW.should.be.below(0);
      should(record(household, night, 'zon', 'electric_power_export', 'realtime')?.value).equal(0);
      should(record(household, night, 'zon', 'electric_power_import', 'realtime')?.value).be.above(0);
    });

    const windows: readonly [Topic, string, string][] = [
      ['this/day', '2026-10-25T23:00:00Z', '2026-10-26T10:37:00Z'],
      ['this/month', '2026-09-30T22:00:00Z', '2026-10-26T10:37:00Z'],
      ['last/minute', '2026-10-26T10:36:00Z', '2026-10-26T10:37:00Z'],
      ['last/15minutes', '2026-10-26T10:15:00Z', '2026-10-26T10:30:00Z'],
      ['last/hour', '2026-10-26T09:00:00Z', '2026-10-26T10:00:00Z'],
      ['last/day', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
      ['last/month', '2026-08-31T22:00:00Z', '2026-09-30T22:00:00Z'],
    ];
    for (const [topic, start, end] of windows) {
      it(`agree with the minutes of ${topic}`, () => {
        const count = minutes(start, end).length;
        const power = record(household, '2026-10-26T10:37:00Z', 'smartmeter-dsmr', 'electric_power_export', topic);
        const energy = record(household, '2026-10-26T10:37:00Z', 'smartmeter-dsmr', 'electric_energy_export', topic);
        const water = record(household, '2026-10-26T10:37:00Z', 'water', 'volume', topic);
        const use = record(household, '2026-10-26T10:37:00Z', 'smartmeter-dsmr', 'electric_usage_power', topic);
        should(power?.value).be.approximately(sum(start, end, sold) / count, 2e-6);
        // A meter counts five seconds of export, whatever the mean of their minute.
        should(energy?.value).be.approximately(sumOfSteps(start, end, sold) / 720_000, 2e-6);
        should(water?.value).be.approximately(sum(start, end, (minute) => minute.waterL) / 1000, 2e-6);
        should(use?.value).be.approximately(sum(start, end, (minute) => minute.homeW) / count, 2e-3);
        should(power?.time).equal(Date.parse(end) / 1000);
      });
    }

    it('agree with the registers over years', () => {
      const newYear = [moment('2024-12-31T23:00:00Z'), moment('2025-12-31T23:00:00Z')] as const;
      const reading = (time: number) => household.registers(millis(time)).waterM3;
      const lastYear = record(household, '2026-10-26T10:37:00Z', 'water', 'volume', 'last/year');
      const thisYear = record(household, '2026-10-26T10:37:00Z', 'water', 'volume', 'this/year');
      should(lastYear?.value).be.approximately(reading(newYear[1]) - reading(newYear[0]), 2e-6);
      should(thisYear?.value).be.approximately(reading(moment('2026-10-26T10:37:00Z')) - reading(newYear[1]), 2e-6);
    });

    it('are the same whether averages are kept between deliveries or not', () => {
      const kept = createAverages(household);
      for (const hours of [0, 5, 30, 1000]) {
        const later = millis(at + hours * hourMs);
        buildDelivery(household, 7, later, topics, { averages: kept }).should.eql(
          buildDelivery(household, 7, later, topics),
        );
      }
    });
  });

  describe('windows', () => {
    it('have 25 hours yesterday after the autumn change and 23 after that of spring', () => {
      const autumn = topicWindow('last/day', moment('2026-10-26T06:00:00Z'), 'Europe/Amsterdam');
      (autumn.end - autumn.start).should.equal(25 * hourMs);
      const spring = topicWindow('last/day', moment('2026-03-30T06:00:00Z'), 'Europe/Amsterdam');
      (spring.end - spring.start).should.equal(23 * hourMs);
      const today = topicWindow('this/day', moment('2026-10-25T22:59:00Z'), 'Europe/Amsterdam');
      (today.end - today.start).should.equal(25 * hourMs - minuteMs);
    });

    it('take the hour just gone when the clock shows an hour twice', () => {
      const window = topicWindow('last/hour', moment('2026-10-25T01:10:00Z'), 'Europe/Amsterdam');
      window.should.eql({ start: moment('2026-10-25T00:00:00Z'), end: moment('2026-10-25T01:00:00Z') });
    });

    it('follow the hours of a zone that is half an hour aside', () => {
      const window = topicWindow('last/hour', moment('2026-10-25T10:10:00Z'), 'Asia/Kolkata');
      window.should.eql({ start: moment('2026-10-25T08:30:00Z'), end: moment('2026-10-25T09:30:00Z') });
    });

    it('reach back into the year before in January', () => {
      const month = topicWindow('last/month', moment('2026-01-01T00:00:00Z'), 'Europe/Amsterdam');
      month.should.eql({ start: moment('2025-11-30T23:00:00Z'), end: moment('2025-12-31T23:00:00Z') });
    });
  });

  describe('signature', () => {
    it('is the hexadecimal HMAC-SHA512 of the bytes, with the key as text', () => {
      const body = Buffer.from('{"name":"Größe"}', 'utf8');
      signBody(body, 'kéy').should.equal(createHmac('sha512', 'kéy').update(body).digest('hex'));
      signBody(body, 'kéy').should.match(/^[0-9a-f]{128}$/);
    });

    it('is the known answer of RFC 4231, test case 2', () => {
      signBody(Buffer.from('what do ya want for nothing?'), 'Jefe').should.equal(
        '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
      );
    });
  });
});
