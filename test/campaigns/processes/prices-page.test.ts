/** The flow of docs/prices-by-the-hour.md as a user imports it, and its functions for other sources, with a server of prices. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { projectDir } from '../../support/node-red/installed-package';
import { collector, NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { snippetsOf } from '../../support/docs/snippets';
import { type Receiver, startReceiver } from '../../support/simulator/receiver';

const page = readFileSync(join(projectDir, 'docs/prices-by-the-hour.md'), 'utf8');
/** Three days of hours around now, in EUR per MWh: 50, 51, … */
const first = Math.floor(Date.now() / hourMs) * hourMs - 49 * hourMs;
const hours = Array.from({ length: 74 }, (_, index) => ({ at: first + index * hourMs, perMwh: 50 + index }));
const iso = (at: number): string => new Date(at).toISOString();

/** What each source sends for the same prices. */
const answers: Readonly<Record<string, unknown>> = {
  'The flow': { unix_seconds: hours.map(({ at }) => at / 1000), price: hours.map(({ perMwh }) => perMwh) },
  Tibber: {
    viewer: {
      homes: [
        {
          currentSubscription: {
            priceInfo: {
              // By the quarter of an hour, as its query asks for.
              today: hours.flatMap(({ at, perMwh }) =>
                [0, 1, 2, 3].map((quarter) => ({ startsAt: iso(at + (quarter * hourMs) / 4), total: perMwh / 1000 })),
              ),
              tomorrow: [],
            },
          },
        },
      ],
    },
  },
  'Power Saver': {
    source: 'Tibber',
    priceData: hours.map(({ at, perMwh }) => ({ start: iso(at), value: perMwh / 1000 })),
  },
  'Home Assistant: Nord Pool': {
    NL: hours.map(({ at, perMwh }) => ({ start: iso(at), end: iso(at + hourMs), price: perMwh })),
  },
};

/** The flow, with this server and with the function of a source. */
function flowFor(source: string, url: string): FlowNode[] {
  const [flow = '[]'] = snippetsOf(page, 'json').map(({ code }) => code);
  const [func] = snippetsOf(page, 'js').flatMap(({ heading, code }) => (heading === source ? [code] : []));
  const changes: Readonly<Record<string, object>> = {
    'prices-market': { url },
    'prices-list': func === undefined ? {} : { func },
    'prices-keep': { wires: [['prices-ask', 'kept']] },
    // Of yesterday: in the first minutes of a day nothing of it is measured.
    'prices-ask': { dateType: 'previous', wires: [['prices-cost', 'asked']] },
  };
  return [
    ...(JSON.parse(flow) as FlowNode[]).map((node) => ({ ...node, ...changes[node.id] })),
    ...['kept', 'asked'].flatMap((name) => collector(name, 'prices-tab')),
  ];
}

describe('the page of prices by the hour', function () {
  this.timeout(120_000);
  let server: Receiver;
  let source = 'The flow';

  before(async () => {
    server = await startReceiver((response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answers[source]));
    });
  });
  after(() => server.close());

  for (const name of Object.keys(answers)) {
    it(`has the cost of a day by the prices of: ${name}`, async () => {
      source = name;
      const nodeRed = await NodeRed.start({ flows: flowFor(name, `${server.url}/price?bzn=NL`) });
      try {
        const [kept] = await nodeRed.waitForMessages('kept', 1);
        should(kept?.payload).equal(name === 'Tibber' ? 4 * hours.length : hours.length);
        const [priced] = await nodeRed.waitForMessages('asked', 1);
        const { cost: costs, points = [] } = priced?.payload as BalancePayload;
        should(costs).containEql({ currency: 'EUR', coverage: 1 });
        points.length.should.be.above(22);
        const perHour = new Map(hours.map(({ at, perMwh }) => [at, (perMwh / 1000) * 1.21 + 0.13]));
        for (const point of points) {
          const cost = Number(point['energy_import_kwh']) * (perHour.get(point.ts) ?? NaN);
          should(point['cost_import']).be.approximately(cost, 1e-9);
        }
      } finally {
        await nodeRed.stop();
      }
    });
  }
});
