/** What a report replaces, and what it keeps exactly. */
import should from 'should';
import { periodContaining } from '../../../src/calendar/periods';
import { toLocalTime } from '../../../src/calendar/zone';
import { millis } from '../../../src/time/units';
import { chooseMove } from '../../../src/report/moved-dates';
import type { Exchange } from '../../../src/report/recording';
import { replace } from '../../../src/report/replace';

const week = 7 * 86_400_000;
const now = Date.parse('2026-06-15T17:00:00Z');
const options = { moveMs: 52 * week, secrets: [], random: () => 0.5 };

function exchange(path: string, json: unknown, query: Readonly<Record<string, string>> = {}): Exchange {
  return { path, query, at: now, ms: 5, answer: { status: 200, bytes: 10, json } };
}

function replaced(...exchanges: Exchange[]): unknown[] {
  return replace(exchanges, [], options).exchanges.map(({ answer }) => ('json' in answer ? answer.json : null));
}

const member = (value: unknown, ...names: readonly (string | number)[]): unknown =>
  names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), value);

describe('replace', () => {
  it('shifts a counter by the same amount in every answer', () => {
    const [one, other] = replaced(
      exchange('open-api/v1/p1/realtime/', { data: { t1: [now, 78_659.671875] } }),
      exchange('cemm/02-00-00-00-00-01/p1/totals/', { data: { t1: [now, 78_700.25] } }),
    );
    const [first, second] = [member(one, 'data', 't1', 1), member(other, 'data', 't1', 1)].map(Number);
    should(first).not.equal(78_659.671875);
    ((second ?? 0) - (first ?? 0)).should.equal(78_700.25 - 78_659.671875);
  });

  it('keeps the net registers equal to their parts', () => {
    const data = { t1: [now, 5000.5], t2: [now, 6000.25], t3: [now, 700.25], t4: [now, 800.125] };
    const totals = { electric_energy: [now, 4300.25], electric_energy_high: [now, 5200.125] };
    const [json] = replaced(exchange('open-api/v1/p1/realtime/', { data, totals }));
    const of = (part: string, channel: string): number => Number(member(json, part, channel, 1));
    of('totals', 'electric_energy').should.equal(of('data', 't1') - of('data', 't3'));
    of('totals', 'electric_energy_high').should.equal(of('data', 't2') - of('data', 't4'));
  });

  it('keeps the sum of both tariffs of a meter with a single counter', () => {
    const data = { t1: [now, 5528.5], t2: [0, 0] };
    const totals = { t1: [now, 1713.25], t2: [now, 3815.25] };
    const [json] = replaced(exchange('open-api/v1/mb5/realtime/', { data, totals }));
    const of = (part: string, channel: string): number => Number(member(json, part, channel, 1));
    of('data', 't1').should.equal(of('totals', 't1') + of('totals', 't2'));
    should(member(json, 'data', 't2')).eql([0, 0]);
  });

  it('leaves powers, amounts and a counter that never moved as they are', () => {
    const month = [10.5, 3.25, 12].map((value, day) => [now + day * 86_400_000, value]);
    const [current, series] = replaced(
      exchange('open-api/v1/p1/realtime/', { data: { electric_power: [now, -8840], rate: [now, 2], t3: [now, 0] } }),
      exchange('open-api/v1/p1/data/month/', { data: { electric_energy: month } }, { time: String(now / 1000) }),
    );
    should(member(current, 'data', 'electric_power', 1)).equal(-8840);
    should(member(current, 'data', 'rate', 1)).equal(2);
    should(member(current, 'data', 't3', 1)).equal(0);
    should(member(series, 'data', 'electric_energy', 2, 1)).equal(12);
  });

  it('shifts a series of readings as the counter itself', () => {
    const month = [5000, 5010, 5025].map((value, day) => [now + day * 86_400_000, value]);
    const [current, series] = replaced(
      exchange('open-api/v1/pulse-2/realtime/', { totals: { volume: [now, 5026] } }),
      exchange('open-api/v1/pulse-2/data/month/', { data: { volume: month } }),
    );
    const last = Number(member(series, 'data', 'volume', 2, 1));
    last.should.not.equal(5025);
    last.should.equal(Number(member(current, 'totals', 'volume', 1)) - 1);
  });

  it('moves every time by the same whole weeks', () => {
    const [result] = replace(
      [
        exchange(
          'open-api/v1/p1/data/day/',
          { time: now / 1000, data: { flow: [[now, 1]] } },
          { time: String(now / 1000) },
        ),
      ],
      [],
      options,
    ).exchanges;
    const moved = now + options.moveMs;
    should(result?.at).equal(moved);
    should(result?.query['time']).equal(String(moved / 1000));
    should(result?.answer).match({ json: { time: moved / 1000, data: { flow: [[moved, 1]] } } });
  });

  it('gives a MAC address the same stand-in in every spelling', () => {
    const [root, list] = replaced(
      exchange('open-api/v1/', { data: { mac: 'D8:80:39:46:22:B5', name: 'Jansen', type: 'E5AD649292BBBB51060F' } }),
      exchange('cemm/', { data: [{ uid: 'D8-80-39-46-22-B5' }] }),
    );
    should(member(root, 'data', 'mac')).equal('02:00:00:00:00:01');
    should(member(list, 'data', 0, 'uid')).equal('02-00-00-00-00-01');
    should(member(root, 'data', 'name')).equal('name-1');
    should(member(root, 'data', 'type')).equal('00000000000000000001');
  });

  it('keeps the words of the interfaces, versions and units', () => {
    const meter = { key: 'smartmeter-dsmr', type: 'electricity', role: 'grid-connection', label: 'Vermogen afname' };
    const channel = { key: 'flow', unit: 'L/min', aggregation_method: 'COUNTER' };
    const list = { meters: [{ ...meter, channels: [channel] }] };
    const monitor = { version: '2.26.0.0', core: '1.25', timezone: 'Europe/Brussels', name: 'CEMM Plus' };
    should(replaced(exchange('api/v1/public/meters', list), exchange('api/v1/public/cemm', monitor))).eql([
      list,
      monitor,
    ]);
  });

  it('replaces the key of a meter that its owner has named, in paths as well', () => {
    const { exchanges } = replace(
      [
        exchange('api/v1/public/meters', { meters: [{ key: 'zolder-piet' }] }),
        exchange('api/v1/public/timeseries', { data: [] }, { channels: 'zolder-piet:volume' }),
      ],
      [],
      options,
    );
    should(exchanges[1]?.query['channels']).equal('key-1:volume');
    should(exchanges[0]?.answer).match({ json: { meters: [{ key: 'key-1' }] } });
  });
});

/** Each value in a place that nobody knows, or that holds something else than the interface says. */
describe('replace, in fields that nobody knows', () => {
  const of = (json: unknown): unknown => replaced(exchange('open-api/v1/', json))[0];

  it('AR1: keeps a date that is the whole text, and replaces one with text behind it', () => {
    should(of({ changed_at: '2026-06-15T17:00:00Z' })).eql({ 'key-1': '2027-06-14T17:00:00Z' });
    for (const text of [
      '2026-10-01 by Piet',
      '2026-10-01T12:00:00 at 52.379',
      '2026-10-01 12:00:00.523791899',
      '1961-05-12',
    ])
      should(of({ time: text })).eql({ time: 'text-1' });
  });

  it('AR2: replaces a text with letters or signs of another script beside known words', () => {
    for (const text of [
      'meter Иван Петров',
      'gas 李雷',
      'meter \u{1f3e0}',
      'gas e\u0301',
      'zon \u200bPiet',
      'm\u00e9ter',
    ])
      should(of({ error: text })).eql({ error: 'text-1' });
    should(of({ count: 'meter gas' })).eql({ count: 'meter gas' });
  });

  it('AR3: leaves no number behind the time 0, and of a list of numbers none', () => {
    should(of({ volume: [0, 52.379189, 4.899431] })).eql({ volume: [0, 1001, 1002] });
    should(of({ flow: [now, 52.379189, 4.899431] })).eql({ flow: [1001, 1002, 1003] });
    const data = {
      flow: [0, 52.379189, 4.899431],
      switch: [0, 1],
      gas: [0, 0],
      t2: [0, null],
      rate: [now, 2, 4.899431],
    };
    const [json] = replaced(exchange('open-api/v1/p1/realtime/', { data }));
    const kept = { flow: [0, 10, 1], switch: [0, 1], gas: [0, 0], t2: [0, null], rate: [now + options.moveMs, 2, 1] };
    should(json).eql({ data: kept });
  });

  it('AR4: leaves no small number, no number in a text, and no version', () => {
    should(of({ level: 7, volume: -12.5, alarm: true, active: true, note: 'meter 123', total: 0 })).eql({
      level: 1001,
      volume: 1002,
      'key-1': false,
      active: false,
      'key-2': 'text-1',
      total: 0,
    });
    should(of({ version: '2.26.0.0', meter: { version: '10.11.12.13' }, core: '10.11.12.13' })).eql({
      version: '2.26.0.0',
      meter: { version: '192.0.2.1' },
      core: '192.0.2.1',
    });
    should(of({ full_id: 1_540_000_000_123, port: 12 })).eql({ full_id: 1, port: 1 });
    should(of({ data: { port: 12 } })).eql({ data: { port: 12 } });
  });

  it('AR5: leaves of the values of an unknown channel only the power of ten', () => {
    const pressure = [now, -52.379189];
    const [json] = replaced(exchange('open-api/v1/p1/realtime/', { data: { pressure, flow: [now, 3.25] } }));
    should(json).eql({ data: { pressure: [now + options.moveMs, -10], flow: [now + options.moveMs, 3.25] } });
    const body = { data: { gas: { pressure: { reading: { time: now / 1000, value: 1013 } } } } };
    const [delivered] = replace([], [body], options).deliveries;
    should(member(delivered, 'data', 'gas', 'pressure', 'reading', 'value')).equal(1000);
  });

  it('shifts readings in a series of which one entry is no pair', () => {
    const month = [5000, 5010, 5025].map((value, day) => [now + day * 86_400_000, value]);
    const [series] = replaced(exchange('open-api/v1/pulse-2/data/month/', { data: { volume: [...month, ['', 1]] } }));
    should(member(series, 'data', 'volume', 1, 1)).not.equal(5010);
  });
});

describe('chooseMove', () => {
  for (const zone of ['Europe/Amsterdam', 'America/New_York', 'UTC']) {
    it(`moves to a year with the same calendar in ${zone}`, () => {
      for (const date of ['2024-02-29', '2025-10-26', '2026-06-15', '2027-01-01']) {
        const at = millis(Date.parse(`${date}T12:00:00Z`));
        for (const drawn of [0, 0.3, 0.6, 0.99]) {
          const move = chooseMove(at, zone, () => drawn);
          (move % week).should.equal(0);
          move.should.not.equal(0);
          const [before, after] = [at, millis(at + move)].map((moment) =>
            periodContaining('month', zone, millis(moment)),
          );
          should((after?.start ?? 0) - (before?.start ?? 0)).equal(move);
          should(toLocalTime(zone, millis(at + move)) - toLocalTime(zone, at)).equal(move);
        }
      }
    });
  }
});
