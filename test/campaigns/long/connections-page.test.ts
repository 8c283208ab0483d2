/** docs/connections.md: how many requests a balance needs, counted with the simulator. */
import should from 'should';
import { readPage } from '../../../scripts/docs/lint-docs/page';
import { dayMs } from '../../../src/time/units';
import { connect, type Cemm } from '../../../src/index';
import { millis, startSimulator, type Simulator } from '../../../src/simulator/index';

/** The table below *Requests and time*: first cell → numbers. */
function table(): Map<string, number[]> {
  const [, text = ''] = readPage('docs/connections.md').prose.split('| Balance |');
  const rows = [...text.matchAll(/^\| (.+?) \| (\d+) \| (\d+) \|$/gm)];
  return new Map(rows.map(([, name = '', ...numbers]) => [name, numbers.map(Number)]));
}

const lastYear = String(new Date().getUTCFullYear() - 1);
/** The table is about a year of 365 days. */
const leapDays = (Date.parse(`${lastYear}-12-31T00:00:00Z`) - Date.parse(`${lastYear}-01-01T00:00:00Z`)) / dayMs - 364;
/** In the own network a year is read by the day: the smart meter, two inverters and two devices. */
const metersByDay = 5;

describe('the page of what each connection gives', function () {
  this.timeout(300_000);
  let simulator: Simulator;

  before(async () => {
    simulator = await startSimulator({
      remotePort: 0,
      since: millis(Date.parse(`${lastYear}-01-01T00:00:00Z`) - 40 * dayMs),
    });
  });
  after(() => simulator.close());

  it('has the number of requests of each balance', async () => {
    // The demo monitor answers as a monitor in the own network does, without a pause.
    const ways: (() => Promise<Cemm>)[] = [
      () => connect({ demo: true }),
      () => connect({ baseUrl: String(simulator.remote), apiKey: 'demo' }),
    ];
    const asked: Readonly<Record<string, Parameters<Cemm['balance']>[0]>> = {
      'a day': { day: `${lastYear}-12-10` },
      'a month of 31 days': { month: `${lastYear}-12` },
      'a year': { year: lastYear },
    };
    const counted = new Map<string, number[]>();
    for (const way of ways) {
      for (const [name, period] of Object.entries(asked)) {
        // A connection of its own, because one remembers what it has read.
        const cemm = await way();
        const { source } = await cemm.balance(period);
        counted.set(name, [...(counted.get(name) ?? []), source.requests]);
        await cemm.close();
      }
    }
    const shown = table();
    const [local = 0, remote = 0] = shown.get('a year') ?? [];
    should([...counted]).eql([...shown.set('a year', [local + metersByDay * leapDays, remote])]);
  });
});
