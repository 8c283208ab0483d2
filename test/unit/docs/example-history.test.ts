/** The function nodes of the example home-assistant-history. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../../src/checks/record';
import { runFunction } from '../../support/docs/example-functions';

const page = readFileSync(path.resolve(__dirname, '../../../docs/home-assistant.md'), 'utf8');

describe('the example home-assistant-history', () => {
  it('clears every statistic that it imports before it imports everything again, those of a battery too', () => {
    const imported = [...page.matchAll(/^\| `(cemm:001a2b3c4d5e_\w+)` \|/gm)].map(([, id]) => id);
    imported.should.containEql('cemm:001a2b3c4d5e_energy_battery_charged_kwh').and.have.length(8);
    const flow = new Map<string, unknown>([['run', { id: 'this run', clear: true }]]);
    const message = { run: 'this run', payload: { monitor: { id: '001a2b3c4d5e' } } };
    const answer = runFunction('home-assistant-history', 'cemm-history-clear', message, { flow });
    should(answer).containDeep([{ payload: { data: { type: 'recorder/clear_statistics' } } }, message]);
    const [, cleared = ''] = /"statistic_ids":\[(.*?)\]/.exec(JSON.stringify(answer)) ?? [];
    cleared.replaceAll('"', '').split(',').sort().should.deepEqual(imported.sort());
  });

  it('reports a day when its rows are confirmed, also when the removal before them is confirmed last', () => {
    const run = { id: 'this run', first: '2026-01-01', sent: 0, confirmed: 0 };
    const flow = new Map<string, unknown>([['run', run]]);
    const removal = { run: 'this run' };
    const [first, last] = [0, 1].map((index) => ({
      ...removal,
      parts: { index, count: 2 },
      history: { day: '2026-01-01' },
    }));
    const shown = (name: string, message: object = {}): unknown =>
      runFunction('home-assistant-history', `cemm-history-${name}`, message, { flow });
    const sent = [removal, first, last].map((message) => shown('count', message));
    const confirmed = [sent[1], sent[2], sent[0]].map((message) => shown('done', isRecord(message) ? message : {}));
    confirmed.should.match([null, { payload: '2026-01-01' }, null]);
    should(flow.get('history')).deepEqual({ day: '2026-01-01', first: '2026-01-01' });
  });
});
