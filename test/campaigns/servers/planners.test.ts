/** The lines of jq in docs/what-to-wire-it-to.md, run by jq with what the format `prices` makes. */
import should from 'should';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { createFormatter } from '../../../src/formats/formatter';
import { millis } from '../../../src/time/units';
import { prices, zone } from '../../support/balance/small-house';
import { snippetsOf } from '../../support/docs/snippets';
import { programPath } from '../../support/servers/server-program';

const page = readFileSync(path.resolve(__dirname, '../../../docs/what-to-wire-it-to.md'), 'utf8');
const now = Date.parse('2026-10-25T12:00:00+01:00');

/** The result of a line as text, which evcc parses as JSON. */
function run(line: string): unknown {
  const period = daysOfPrices({}, { timezone: zone, now: millis(now) });
  const sold = { zones: [{ hours: '12-14', value: 0.07 }] };
  const given = prices({ currency: 'EUR', import: 0.25, export: sold });
  const payload = pricePoints({ prices: given, period, transport: 'demo', now });
  const [formatted] = createFormatter('prices')({ payload });
  const input = JSON.stringify(formatted?.payload);
  const { stdout, stderr, status } = spawnSync(programPath('jq', 'jq'), [line], { input, encoding: 'utf8' });
  should(status).equal(0, stderr);
  const text: unknown = JSON.parse(stdout);
  should(text).be.a.String();
  return JSON.parse(String(text));
}

describe('the lines of jq for evcc', () => {
  const [snippet] = snippetsOf(page, 'yaml').filter(({ heading }) => heading === 'evcc: prices');
  const lines = [...(snippet?.code ?? '').matchAll(/^ +jq: '?(.*?)'?$/gm)].map(([, line = '']) => line);

  it('make a text of all slots with their price', () => {
    const rates = run(lines[0] ?? '');
    should(rates).be.an.Array().of.length(49);
    should(rates).matchEach({ value: 0.25 });
    should(rates).containDeep([{ start: '2026-10-25T00:00:00+02:00', end: '2026-10-25T01:00:00+02:00' }]);
  });

  it('make a text of the slots in which export has a price', () => {
    should(run(lines[1] ?? '')).deepEqual([
      { start: '2026-10-25T12:00:00+01:00', end: '2026-10-25T13:00:00+01:00', value: 0.07, export: 0.07 },
      { start: '2026-10-25T13:00:00+01:00', end: '2026-10-25T14:00:00+01:00', value: 0.07, export: 0.07 },
      { start: '2026-10-26T12:00:00+01:00', end: '2026-10-26T13:00:00+01:00', value: 0.07, export: 0.07 },
      { start: '2026-10-26T13:00:00+01:00', end: '2026-10-26T14:00:00+01:00', value: 0.07, export: 0.07 },
    ]);
  });
});
