/** The function of the example `prometheus`: the page shows its stored and counted values. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { createFormatter } from '../../../src/formats/formatter';
import { topicOf } from '../../../src/model/identity';
import type { AvailabilityPayload, Payload } from '../../../src/model/payload';
import { MAC, offline, problem, realtime, T, water, webhook } from '../../support/formats/payloads';

interface FlowMessage {
  readonly topic?: string;
  readonly payload?: unknown;
  readonly req?: object;
}

function start(): (message: FlowMessage) => FlowMessage | undefined {
  const file = path.resolve(__dirname, '../../../examples/prometheus.json');
  const nodes = JSON.parse(readFileSync(file, 'utf8')) as { id: string; func?: string }[];
  const func = nodes.find(({ id }) => id === 'cemm-prom-keep')?.func ?? '';
  const kept = new Map<string, unknown>();
  const context = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: unknown) => kept.set(name, value),
  };
  return vm.runInContext(`(function (msg) {${func}\n})`, vm.createContext({ context })) as ReturnType<typeof start>;
}

/** Lines of the page after these payloads, without its comments. */
function pageAfter(payloads: readonly Payload[], now = T + 2000): string[] {
  const run = start();
  for (const payload of payloads) {
    should(run({ topic: topicOf(payload), payload: structuredClone(payload) })).equal(undefined);
  }
  const [message] = createFormatter('openmetrics', { now: () => now })({ payload: run({ req: {} })?.payload });
  return String(message?.payload)
    .split('\n')
    .filter((line) => /^\w/.test(line));
}

const outage = (failures: number, reason: string | null): AvailabilityPayload => ({
  ...offline,
  state: reason === null ? 'online' : 'offline',
  since: T + failures,
  failures,
  reason,
});

const failed = (code: string, count: number): string =>
  `cemm_polls_failed_total{monitor="${MAC}",meter="p1",code="${code}"} ${count}`;

describe('the function of the example prometheus', () => {
  it('keeps the latest reading of each meter', () => {
    const newer = { ...realtime, ts: T + 1000, values: { power_w: 5 }, times: {} };
    const lines = pageAfter([realtime, water, newer]);
    lines
      .filter((line) => line.startsWith('cemm_power_w'))
      .should.eql([`cemm_power_w{monitor="${MAC}",meter="p1"} 5 ${T + 900}`]);
    lines.filter((line) => line.startsWith('cemm_water_m3_total')).should.have.length(1);
  });

  it('counts deliveries, and refusals by their reason', () => {
    const refused = { ...problem, reason: 'stale', count: 3 };
    const lines = pageAfter([webhook, webhook, problem, refused, refused, { ...refused, reason: 'bad_signature' }]);
    const monitor = 'monitor="24000001"';
    for (const line of [
      `cemm_deliveries_received_total{${monitor}} 2`,
      `cemm_deliveries_missed_total{${monitor}} 1`,
      `cemm_deliveries_refused_total{${monitor},reason="stale"} 6`,
      `cemm_deliveries_refused_total{${monitor},reason="bad_signature"} 3`,
    ]) {
      lines.should.containEql(line);
    }
  });

  it('counts each failed request of an outage once, and adds those of the next one', () => {
    pageAfter([outage(3, 'NETWORK')]).should.containEql(failed('NETWORK', 3));
    const over = [outage(3, 'NETWORK'), outage(7, null)];
    pageAfter(over).should.containEql(failed('NETWORK', 7));
    pageAfter([...over, outage(3, 'NETWORK')]).should.containEql(failed('NETWORK', 10));
    const another = pageAfter([outage(3, 'NETWORK'), outage(5, 'AUTH'), outage(9, null)]);
    another.should.containEql(failed('NETWORK', 3));
    another.should.containEql(failed('AUTH', 6));
  });

  it('says whether the meter answers now', () => {
    const online = (value: number): string => `cemm_online{monitor="${MAC}",meter="p1"} ${value}`;
    pageAfter([outage(3, 'NETWORK')]).should.containEql(online(0));
    pageAfter([outage(3, 'NETWORK'), outage(7, null)]).should.containEql(online(1));
    pageAfter([outage(7, null)])
      .filter((line) => line.includes('polls_failed'))
      .should.be.empty();
  });
});
