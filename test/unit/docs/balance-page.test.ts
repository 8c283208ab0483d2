/** docs/balance.md: its terms match the payload. docs/evidence/balance.md: its example is a day of the simulated house. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { parsePrices } from '../../../src/balance/prices/prices';
import { periodFromLabel } from '../../../src/calendar/periods';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { systemClock } from '../../../src/time/clock';
import { connectTo } from '../../support/clients/in-process';
import type { BalancePayload } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { makeSchemas } from '../../../scripts/build/build-schemas';

const pageOf = (name: string): string => readFileSync(path.resolve(__dirname, '../../../docs', name), 'utf8');
const page = pageOf('balance.md');
const evidence = pageOf('evidence/balance.md');
const timezone = 'Europe/Amsterdam';
const now = millis(Date.parse('2026-03-12T13:00:00+01:00'));
const since = millis(Date.parse('2025-12-31T12:00:00+01:00'));

/** The cells of the rows of a table, below its header. */
function rowsBelow(text: string, header: string): string[][] {
  const [, table = ''] = text.split(`${header}\n`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  return (schema as { properties: Record<string, unknown> }).properties;
}

/** The accepted values of a property. */
function wordsOf(property: unknown): string[] {
  return (property as { additionalProperties: { enum: string[] } }).additionalProperties.enum;
}

/** Evaluates a sum like a pocket calculator. */
function calculated(sum: string): number {
  sum.should.match(/^[\d.+−×÷() ]+$/);
  return Number(runInNewContext(sum.replaceAll('−', '-').replaceAll('×', '*').replaceAll('÷', '/')));
}

/** The day of the example, with the prices of its page. */
async function example(): Promise<BalancePayload> {
  const [, json = ''] = /```json\n(.*\n)```/.exec(evidence) ?? [];
  const prices = parsePrices(JSON.parse(json), timezone);
  const clock = createSimulatedClock({ start: now, speed: 0 });
  const simulator = await startSimulator({ remotePort: 0, clock, since });
  const frozen = { ...systemClock, now: () => now };
  const connection = connectTo({
    client: createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo' }),
    timezone,
    clock: frozen,
  });
  try {
    return await new Balances({ reader: connection, clock: frozen }).read(
      {
        monitor: null,
        meters: { ...everyMeter, production: ['s01'] },
        period: periodFromLabel('2026-03-11', timezone),
        step: 'PT1H',
        prices,
        wantsPeak: false,
        counters: null,
      },
      { signal: new AbortController().signal },
    );
  } finally {
    await connection.close();
    await simulator.close();
  }
}

describe('the page of the balance', function () {
  this.timeout(60_000);

  it('explains every way in which a number is found, and every reason for which one is missing', () => {
    const { method, missing } = propertiesOf(makeSchemas().get('balance'));
    const words = (header: string): string[] => rowsBelow(page, header).map(([word = '']) => word.replaceAll('`', ''));
    words('| Method | Means |')
      .sort()
      .should.deepEqual([...wordsOf(method)].sort());
    words('| Word | Means | What you can do |')
      .sort()
      .should.deepEqual([...wordsOf(missing)].sort());
  });

  it('has an example with the meter readings of that day, and what a pocket calculator makes of them', async () => {
    const { values, cost, counters } = await example();
    const meters = rowsBelow(evidence, '| Meter | 00:00 | 24:00 | Difference |');
    const shown = meters.map(([, start, end]) => [Number(start), Number(end)]);
    const names = ['import_t1', 'import_t2', 'export_t1', 'export_t2', 'production'].map(
      (name) => `energy_${name}_kwh`,
    );
    const known = [...names, 'gas_m3'].map((name) => [counters[name]?.start?.[1], counters[name]?.end?.[1]]);
    shown.should.deepEqual(known);
    for (const [name = '', start, end, difference = ''] of meters) {
      Number.parseFloat(difference).should.be.approximately(Number(end) - Number(start), 1e-9, name);
    }
    const fields = rowsBelow(evidence, '| Field | Sum | Result |');
    const parts = rowsBelow(evidence, '| Part of `cost` | Sum | Result |');
    fields.length.should.equal(7);
    parts.length.should.equal(6);
    for (const [name = '', sum = '', result = ''] of [...fields, ...parts]) {
      const isRatio = name.startsWith('`self_');
      Number(result).should.be.approximately(calculated(sum), isRatio ? 5e-5 : 1e-9, name);
      const field = name.replaceAll('`', '');
      const value: unknown = field in values ? values[field] : Reflect.get(cost ?? {}, field);
      should(value).be.approximately(Number(result), isRatio ? 5e-5 : 1e-9, name);
    }
  });
});
