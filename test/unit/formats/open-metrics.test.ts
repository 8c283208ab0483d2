/** The page for Prometheus: its content, and its acceptance by a strict reader of the specification. */
import should from 'should';
import { createFormatter, type FormatInput, type Formatter } from '../../../src/formats/formatter';
import type { AvailabilityPayload, RealtimePayload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { describeFormatError } from '../../support/formats/errors';
import { readOpenMetrics, readText, type ReadFamily } from '../../support/formats/exposition';
import * as kinds from '../../support/formats/payloads';
import { later, MAC, T } from '../../support/formats/payloads';

/** The Accept header of Prometheus 2.42. */
const prometheus =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

interface Answer {
  readonly text: string;
  readonly contentType: string | undefined;
}

function scrape(payload: unknown, { accept = '', now = T + 2000, fields = '' } = {}): Answer {
  return answerOf(createFormatter('openmetrics', { now: () => now, fields }), { payload, req: requestFor(accept) });
}

function requestFor(accept: string): FormatInput['req'] {
  return { headers: { accept, authorization: 'Basic c2VjcmV0' } };
}

function answerOf(format: Formatter<string>, input: FormatInput): Answer {
  const [message] = format(input);
  return { text: String(message?.payload), contentType: message?.headers?.['content-type'] };
}

function families(payload: unknown, options: Parameters<typeof scrape>[1] = {}): Map<string, ReadFamily> {
  return readOpenMetrics(scrape(payload, { accept: prometheus, ...options }).text);
}

/** Name, labels and value of each sample. */
function samples(payload: unknown, options: Parameters<typeof scrape>[1] = {}): string[] {
  return [...families(payload, options).values()].flatMap((family) =>
    family.samples.map(({ name, labels, value }) =>
      [name.replace(/^cemm_/, ''), ...Object.entries(labels).map((label) => label.join('=')), value].join(' '),
    ),
  );
}

const p1 = { monitor: MAC, meter: 'p1' };

describe('format openmetrics', () => {
  it('has each reading of a meter under its field, with its labels, its unit and its own time', () => {
    const found = families(kinds.realtime);
    should(found.get('cemm_power_w')).deepEqual({
      type: 'gauge',
      unit: 'w',
      help: 'Field power_w in W.',
      samples: [{ name: 'cemm_power_w', labels: p1, value: -1240, timestamp: T / 1000 }],
    });
    should(found.get('cemm_gas_m3')).deepEqual({
      type: 'counter',
      unit: 'm3',
      help: 'Field gas_m3 in m³.',
      samples: [{ name: 'cemm_gas_m3_total', labels: p1, value: 2511.873, timestamp: T / 1000 - 300 }],
    });
    should(found.get('cemm_tariff')).containDeep({ type: 'gauge', unit: null });
  });

  it('has net energy, which falls, as a gauge, and leaves out missing values', () => {
    const found = families(kinds.realtime);
    should(found.get('cemm_energy_net_kwh')?.type).equal('gauge');
    should(found.get('cemm_energy_import_t1_kwh')?.type).equal('counter');
    [...found.keys()].should.not.matchAny(/energy_import_t2|energy_import_kwh|switch_raw/);
  });

  it('is the same in the text format 0.0.4, for clients that do not request OpenMetrics 1.0', () => {
    for (const accept of ['', '*/*', 'text/plain', 'application/openmetrics-text;version=0.0.1', `${prometheus};q=0`]) {
      const { text, contentType } = scrape(kinds.realtime, { accept: accept.replace('1.0.0,', '1.0.0;q=0,') });
      should(contentType).equal('text/plain; version=0.0.4; charset=utf-8');
      const gas = readText(text).get('cemm_gas_m3_total');
      const sample = { name: 'cemm_gas_m3_total', labels: p1, value: 2511.873, timestamp: T - 5 * minuteMs };
      should(gas).deepEqual({ type: 'counter', unit: null, help: 'Field gas_m3 in m³.', samples: [sample] });
      text.should.not.match(/# (?:EOF|UNIT)/);
    }
  });

  it('is OpenMetrics 1.0 for a client that prefers it', () => {
    for (const accept of [
      prometheus,
      'application/openmetrics-text',
      'text/plain;q=0.5, Application/OpenMetrics-Text; version=1.0.0',
    ]) {
      const { text, contentType } = scrape(kinds.realtime, { accept });
      should(contentType).equal('application/openmetrics-text; version=1.0.0; charset=utf-8');
      text.should.endWith('\n# EOF\n');
    }
    should(scrape([], { accept: 'application/openmetrics-text;q=0.1,text/plain' }).contentType).startWith('text/plain');
  });

  it('is valid without any value', () => {
    should(scrape([], { accept: prometheus }).text).equal('# EOF\n');
    should(scrape([]).text).equal('');
  });

  it('FO2: leaves a meter out when its newest value is five minutes old, and goes on telling its age', () => {
    const list = [
      kinds.realtime,
      { ...kinds.water, ts: T + 6 * minuteMs, source: { ...kinds.water.source, fetchedAt: T + 7 * minuteMs } },
    ];
    samples(list, { now: T + 5 * minuteMs }).should.containEql(`power_w monitor=${MAC} meter=p1 -1240`);
    const late = samples(list, { now: T + 6 * minuteMs });
    late
      .filter((sample) => sample.includes('meter=p1'))
      .should.eql([
        `reading_age_seconds monitor=${MAC} meter=p1 360`,
        // Gas is always a few minutes old, and has its own time.
        `gas_m3_total monitor=${MAC} meter=p1 2511.873`,
      ]);
    late.should.containEql(`flow_lpm monitor=${MAC} meter=pulse-2 6`);
  });

  it('leaves out a single value that is too old for Prometheus, but not an hourly one', () => {
    const gasAt = (ago: number) =>
      samples({ ...kinds.realtime, times: { gas_m3: T - ago } }).filter((one) => one.includes('gas'));
    gasAt(62 * minuteMs).should.have.length(1);
    const gasMeter = { ...kinds.realtime, ts: T - 62 * minuteMs, values: { gas_m3: 1 }, times: {} };
    samples(gasMeter).should.containEql(`gas_m3_total monitor=${MAC} meter=p1 1`);
    gasAt(66 * minuteMs).should.be.empty();
  });

  it('sends no value of the future if the clock of the monitor is ahead', () => {
    const ahead = { ...kinds.realtime, ts: T + 10 * minuteMs, times: {} };
    const [sample] = families(ahead).get('cemm_power_w')?.samples ?? [];
    should(sample?.timestamp).equal((T + 900) / 1000);
    const later = samples(ahead, { now: T + 7 * minuteMs, fields: 'power_w' });
    later.should.eql([`reading_age_seconds monitor=${MAC} meter=p1 419.1`]);
  });

  it('uses the newer one of two readings of a meter', () => {
    const newer: RealtimePayload = { ...kinds.realtime, ts: T + 500, values: { power_w: 7 }, times: {} };
    for (const list of [
      [kinds.realtime, newer],
      [newer, kinds.realtime],
    ]) {
      samples(list).should.containEql(`power_w monitor=${MAC} meter=p1 7`);
      samples(list).should.containEql(`reading_age_seconds monitor=${MAC} meter=p1 1.5`);
      samples(list).should.have.length(new Set(samples(list).map((sample) => sample.replace(/ \S+$/, ''))).size);
    }
  });

  it('FO4: holds back a counter that falls to 0, as after a restart of the monitor, and no real 0', () => {
    let now = T + 1000;
    const format = createFormatter('openmetrics', { now: () => now });
    const gas = (value: number): string[] => {
      now += 1000;
      const payload = { ...kinds.realtime, values: { gas_m3: value, energy_export_kwh: 0 }, times: {} };
      return answerOf(format, { payload }).text.match(/^cemm_\w+_total\{.*?\} \S+/gm) ?? [];
    };
    const zero = `cemm_energy_export_kwh_total{monitor="${MAC}",meter="p1"} 0`;
    gas(2511).should.eql([`cemm_gas_m3_total{monitor="${MAC}",meter="p1"} 2511`, zero]);
    gas(0).should.eql([zero]);
    gas(0).should.eql([zero]);
    gas(3).should.have.length(2);
  });

  it('FO4: holds back the 0 of a monitor that was away for longer than it is on the page', () => {
    let now = T;
    const format = createFormatter('openmetrics', { now: () => now });
    const page = (energy_export_kwh: number, ts: number): string => {
      const payload = { ...kinds.realtime, ts, values: { energy_export_kwh }, times: {} };
      return answerOf(format, { payload: { ...payload, source: { ...payload.source, fetchedAt: ts } } }).text;
    };
    page(5, now).should.match(/^cemm_energy_export_kwh_total/m);
    for (const minutes of [10, 20]) {
      now = T + minutes * minuteMs;
      page(5, T).should.not.match(/energy_export/);
    }
    page(0, now).should.not.match(/energy_export/);
    page(6, now).should.match(/^cemm_energy_export_kwh_total\{.*\} 6 /m);
  });

  it('FO4: holds back the zeros of a monitor that starts together with Node-RED, and has those of a new meter after ten minutes', () => {
    const start = (): ((minutes: number, ...payloads: readonly RealtimePayload['values'][]) => readonly string[]) => {
      let now = T;
      const format = createFormatter('openmetrics', { now: () => now });
      return (minutes, ...all) => {
        now = T + minutes * minuteMs;
        const payload = all.map((values) => later(60 * minutes, values));
        const counters = [...readText(answerOf(format, { payload }).text).entries()].filter(
          ([, { type }]) => type === 'counter',
        );
        return counters.flatMap(([name, family]) => family.samples.map(({ value }) => `${name} ${value}`));
      };
    };
    const zeros = { power_w: 0, energy_import_t1_kwh: 0, energy_import_t2_kwh: 0 };
    const onPage = ['cemm_energy_import_t1_kwh_total 0', 'cemm_energy_import_t2_kwh_total 0'];
    const powerCut = start();
    powerCut(0, zeros).should.be.empty();
    powerCut(1, zeros).should.be.empty();
    powerCut(2, { ...zeros, energy_import_t1_kwh: 4310.52 }).should.have.length(2);
    powerCut(3, zeros).should.eql(['cemm_energy_import_t2_kwh_total 0']);
    const newMeter = start();
    newMeter(0, zeros, {}).should.be.empty();
    newMeter(9, {}, zeros).should.be.empty();
    newMeter(10, zeros, {}).should.eql(onPage);
    newMeter(11, zeros).should.eql(onPage);
  });

  it('counts deliveries, refusals by reason and failed polls by code, and adds them up', () => {
    const refused = { ...kinds.problem, reason: 'bad_signature', count: 4, remote: '192.0.2.1' };
    const offline: AvailabilityPayload = { ...kinds.offline, reason: 'TLS', failures: 2 };
    const list = [{ ...kinds.webhook, count: 12 }, kinds.problem, refused, refused, kinds.offline, offline];
    const counts = samples(list, { now: T + 70 * minuteMs }).filter((sample) => sample.includes('_total'));
    counts
      .sort()
      .should.eql([
        'deliveries_missed_total monitor=24000001 1',
        'deliveries_received_total monitor=24000001 12',
        'deliveries_refused_total monitor=24000001 reason=bad_signature 8',
        `polls_failed_total monitor=${MAC} meter=p1 code=NETWORK 3`,
        `polls_failed_total monitor=${MAC} meter=p1 code=TLS 2`,
      ]);
    samples([kinds.unknownDelivery, kinds.timeseries]).should.eql([
      'deliveries_received_total monitor=24000001 1',
      'deliveries_received_total monitor=house-1 1',
    ]);
    samples({ ...refused, monitor: { id: null } }).should.eql(['deliveries_refused_total reason=bad_signature 4']);
  });

  it('reports whether a meter answers, by its latest state', () => {
    const online: AvailabilityPayload = { ...kinds.offline, state: 'online', since: T + 1, reason: null, failures: 9 };
    for (const list of [
      [kinds.offline, online],
      [online, kinds.offline],
    ]) {
      samples(list).should.containEql(`online monitor=${MAC} meter=p1 1`);
    }
    samples(kinds.offline).should.containEql(`online monitor=${MAC} meter=p1 0`);
  });

  it('has the current values of a delivery, and none of its windows', () => {
    samples(kinds.webhook).should.eql([
      'deliveries_received_total monitor=24000001 1',
      'reading_age_seconds monitor=24000001 meter=dsmr 3',
      'reading_age_seconds monitor=24000001 meter=boiler gas 2',
      'power_import_w monitor=24000001 meter=dsmr 412.5',
      'gas_m3_total monitor=24000001 meter=boiler gas 2511.8',
    ]);
    const [, window] = kinds.webhook.readings;
    if (window === undefined) throw new Error('no reading of a window');
    const windows = { ...kinds.webhook, readings: [{ ...window, field: 'energy_import_kwh', unit: 'kWh' }] };
    samples(windows).should.eql(['deliveries_received_total monitor=24000001 1']);
  });

  it('separates the current balance from the meters', () => {
    samples(kinds.houseNow).should.containEql(`balance_power_house_w monitor=${MAC} 700`);
    samples([kinds.realtime, kinds.houseNow])
      .filter((sample) => sample.startsWith('power_import_w'))
      .should.have.length(1);
  });

  it('is smaller than 5 MB for a thousand monitors of five meters with ten readings', () => {
    const fields = ['import', 'export', 'net'].flatMap((energy) =>
      ['_t1', '_t2', ''].map((t) => `energy_${energy}${t}_kwh`),
    );
    const values = Object.fromEntries(['power_w', ...fields].map((field, index) => [field, 12_345.678 + index]));
    const fleet = Array.from({ length: 5000 }, (_, index) => ({
      ...kinds.realtime,
      monitor: { id: (index % 1000).toString(16).padStart(12, '0') },
      meter: { alias: `mb${Math.floor(index / 1000)}`, role: null },
      values,
    }));
    const { text } = scrape(fleet, { accept: prometheus });
    text.match(/^cemm_energy/gm)?.should.have.length(45_000);
    Buffer.byteLength(text).should.be.below(5e6);
  });

  it('has the chosen fields only', () => {
    samples(kinds.realtime, { fields: 'power_w, gas_m3' })
      .map((sample) => sample.split(' ')[0])
      .should.eql(['reading_age_seconds', 'power_w', 'gas_m3_total']);
  });

  it('FO3: escapes names that a monitor or an address chose, and keeps unknown channels apart', () => {
    const meter = 'a"b\\c\nd} 1\n# EOF';
    const odd: RealtimePayload = {
      ...kinds.realtime,
      meter: { alias: meter, role: null },
      values: { 'power w': 1, power_w: 2 },
    };
    for (const page of [families(odd), readText(scrape(odd).text)]) {
      for (const [name, { samples: ofFamily }] of page) {
        const channel = name === 'cemm_raw_power_w' ? { channel: 'power w' } : {};
        for (const { labels } of ofFamily) labels.should.eql({ monitor: MAC, meter, ...channel });
      }
    }
    should(families(odd).get('cemm_raw_power_w')).containDeep({ type: 'unknown', samples: [{ value: 1 }] });
    should(readText(scrape(odd).text).get('cemm_raw_power_w')?.type).equal('untyped');
  });

  it('FO3: keeps channels apart whose names differ in a character that a metric cannot have', () => {
    const odd: RealtimePayload = { ...kinds.realtime, values: { 'a b': 1, 'a-b': 2, a_b: 3 } };
    const found = families(odd)
      .get('cemm_raw_a_b')
      ?.samples.map(({ labels, value }) => [labels['channel'], value]);
    should(found).deepEqual([
      ['a b', 1],
      ['a-b', 2],
      [undefined, 3],
    ]);
  });

  it('never contains a credential, an address or a name of a person', () => {
    const list = [kinds.realtime, kinds.webhook, kinds.problem, kinds.offline];
    const { text } = scrape(list, { accept: prometheus });
    text.should.not.match(/192\.0\.2|Meter cupboard|c2VjcmV0|hmac|9f2c41d07be3a816/);
  });

  it('refuses payloads without current values', () => {
    for (const payload of [kinds.series, kinds.houseDay, [kinds.realtime, kinds.series]]) {
      describeFormatError(() => scrape(payload)).should.equal('UNSUPPORTED not_current');
    }
    describeFormatError(() => scrape([kinds.realtime, { ...kinds.realtime, monitor: undefined }])).should.equal(
      'INPUT not_a_payload',
    );
    describeFormatError(() => scrape({ ...kinds.realtime, monitor: { id: null } })).should.equal('INPUT no_monitor');
    describeFormatError(() => scrape({ list: [] })).should.equal('INPUT not_a_payload');
  });
});
