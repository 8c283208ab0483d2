/** The function nodes of the example home-assistant-history. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
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
});
