/** The example `dynamic-prices` in a whole Node-RED, with sources of prices on this computer that answer as theirs do. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { projectDir } from '../support/node-red/installed-package';
import { NodeRed, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { changed, payloadOf, runTapped } from '../support/node-red/tapped-flow';
import { until } from '../support/until';
import { listenOnLoopback } from '../support/network/loopback';

interface Recording {
  readonly request: string;
  readonly answer: unknown;
}

const recorded = JSON.parse(readFileSync(join(projectDir, 'test/recorded/price-sources.json'), 'utf8')) as Readonly<
  Record<string, Recording>
>;
const flow = JSON.parse(readFileSync(join(projectDir, 'examples/dynamic-prices.json'), 'utf8')) as FlowNode[];

/** The recordings are of this day. */
const noon = '2026-06-18T13:05:00+02:00';

interface Call {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Sources whose answers a test chooses, by the beginning of their path. */
class Sources {
  readonly calls: Call[] = [];
  address = '';
  answers: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {};
  private readonly server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      this.calls.push({ url, authorization: request.headers.authorization, body });
      const found = Object.entries(this.answers).find(([path]) => url.startsWith(path))?.[1];
      response.writeHead(found?.status ?? 503, { 'content-type': 'application/json' }).end(found?.body ?? 'away');
    });
  });

  async start(): Promise<void> {
    this.address = `http://127.0.0.1:${await listenOnLoopback(this.server)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const paths = {
  EnergyZero: '/public/v1/prices',
  'enever.nl, today': '/apiv3/stroomprijs_vandaag.php',
  'enever.nl, tomorrow': '/apiv3/stroomprijs_morgen.php',
  Tibber: '/v1-beta/gql',
} as const;
type Source = keyof typeof paths;

function answersOf(...sources: Source[]): Sources['answers'] {
  return Object.fromEntries(
    sources.map((source) => [paths[source], { status: 200, body: JSON.stringify(recorded[source]?.answer) }]),
  );
}

interface Planned {
  readonly priceData: readonly { readonly start: string; readonly value: number; readonly export: number | null }[];
}

describe('the example dynamic-prices', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  const sources = new Sources();

  before(async () => {
    await sources.start();
    nodeRed = await NodeRed.start({ env: { CEMM_TEST_CLOCK: noon } });
  });

  beforeEach(() => {
    sources.calls.length = 0;
    sources.answers = {};
  });

  after(async () => {
    await nodeRed.stop();
    await sources.stop();
  });

  /** The flow with another address of each source, and with keys; its ids are new, so that it has no list of an earlier test. */
  function flowWith(keys: Readonly<Record<string, string>>, name: string): FlowNode[] {
    const tab = flow.find(({ type }) => type === 'tab');
    const env = (tab?.['env'] as { name: string; type: string; value: string }[]).map((row) => ({
      ...row,
      ...(row.type === 'cred' && { type: 'str', value: keys[row.name] ?? '' }),
    }));
    const local = flow.map((node) =>
      node.type === 'http request'
        ? { ...node, url: String(node['url']).replace(/^https:\/\/[^/]+/, sources.address) }
        : node,
    );
    const own = JSON.stringify(changed(local, 'cemm-prices', { env })).replaceAll('cemm-prices', `cemm-${name}`);
    return JSON.parse(own.replaceAll('housePrices', `prices_${name}`)) as FlowNode[];
  }

  const plannedBy = async (name: string, got: (...ids: string[]) => Promise<CollectedMessage[]>) =>
    payloadOf(await got(`cemm-${name}-show`), `cemm-${name}-show`) as Planned;

  it('gets both days from EnergyZero without a key, for the connection and for planners', async () => {
    sources.answers = answersOf('EnergyZero');
    const reads = changed(flowWith({}, 'market'), 'cemm-demo-monitor', {
      prices: 'prices_market',
      pricesType: 'global',
    });
    const { got, complaints } = await runTapped(
      nodeRed,
      changed(reads, 'cemm-market-balance', { prices: '', pricesType: 'connection' }),
    );
    const { priceData } = await plannedBy('market', got);
    // (market + 0.02 + 0.09) × 1.21 to take, the market price to give.
    should(priceData.map(({ start, value, export: sells }) => [start, value, sells])).deepEqual([
      ['2026-06-18T13:00:00+02:00', 0.2299, 0.08],
      ['2026-06-18T13:15:00+02:00', 0.121, -0.01],
      ['2026-06-19T23:30:00+02:00', 0.2783, 0.12],
      ['2026-06-19T23:45:00+02:00', 0.2541, 0.1],
    ]);
    sources.calls
      .map(({ url }) => url)
      .should.deepEqual([recorded['EnergyZero']?.request.replace('https://public.api.energyzero.nl', '')]);
    // The list ends tomorrow night, so no source is asked again.
    await nodeRed.inject('cemm-market-hourly');
    await until('the prices once more', async () => {
      const shown = (await got('cemm-market-show')).filter(({ last }) => last === 'cemm-market-show');
      return shown.length === 2;
    });
    sources.calls.should.have.length(1);
    (await complaints()).should.be.empty();
  });

  it('asks enever.nl with its key when EnergyZero is away, and keeps what it has when both are', async () => {
    sources.answers = answersOf('enever.nl, today', 'enever.nl, tomorrow');
    const own = flowWith({ ENEVER_TOKEN: 'secret' }, 'second');
    const { got } = await runTapped(nodeRed, own);
    const known = await plannedBy('second', got);
    should(known.priceData.map(({ value }) => value)).deepEqual([0.2299, 0.121, 0.2783, 0.2541]);
    sources.calls
      .map(({ url }) => url.replace(/\?.*token/, '?token'))
      .should.deepEqual([
        recorded['EnergyZero']?.request.replace('https://public.api.energyzero.nl', ''),
        `${paths['enever.nl, today']}?token=secret&resolution=15&price=prijs`,
        `${paths['enever.nl, tomorrow']}?token=secret&resolution=15&price=prijs`,
      ]);
    // Deployed again, with a rule that asks in any case, while no source answers.
    sources.answers = {};
    const again = await runTapped(
      nodeRed,
      changed(own, 'cemm-second-enough', { property: 'true', propertyType: 'jsonata' }),
    );
    should((await again.got('cemm-second-away', 'cemm-second-show')).length).be.aboveOrEqual(2);
    should(await plannedBy('second', again.got)).deepEqual(known);
    sources.calls.should.have.length(6);
  });

  it('has today from enever.nl before tomorrow is published', async () => {
    sources.answers = answersOf('enever.nl, today');
    const { got } = await runTapped(nodeRed, flowWith({ ENEVER_TOKEN: 'secret' }, 'today'));
    should((await plannedBy('today', got)).priceData.map(({ value }) => value)).deepEqual([0.2299, 0.121]);
  });

  it('says that no source answers, without prices and without a key', async () => {
    sources.answers = { [paths.EnergyZero]: { status: 200, body: '<html>Too many requests</html>' } };
    const { got } = await runTapped(nodeRed, flowWith({}, 'none'));
    const messages = await got('cemm-none-away');
    const { error } = messages.find(({ last }) => last === 'cemm-none-away') ?? {};
    should((error as { message?: string }).message).match(/list of prices cannot be read/);
    messages.filter(({ last }) => last === 'cemm-none-show').should.be.empty();
  });

  it('asks Tibber first where it has its key, adds nothing to its prices, and then EnergyZero', async () => {
    sources.answers = answersOf('Tibber', 'EnergyZero');
    const { got } = await runTapped(nodeRed, flowWith({ TIBBER_TOKEN: 'mine' }, 'total'));
    const { priceData } = await plannedBy('total', got);
    should(priceData.map(({ value, export: sells }) => [value, sells])).deepEqual([
      [0.2257, null],
      [0.1168, null],
      [0.2741, null],
      [0.2499, null],
    ]);
    sources.calls.should.have.length(1);
    const [asked] = sources.calls;
    should(asked?.authorization).equal('Bearer mine');
    should(
      `POST https://api.tibber.com/v1-beta/gql ${(JSON.parse(asked?.body ?? '') as { query: string }).query}`,
    ).equal(recorded['Tibber']?.request);
    sources.answers = answersOf('EnergyZero');
    const other = await runTapped(nodeRed, flowWith({ TIBBER_TOKEN: 'mine' }, 'after'));
    const market = await plannedBy('after', other.got);
    should(market.priceData.map(({ value }) => value)).deepEqual([0.2299, 0.121, 0.2783, 0.2541]);
    sources.calls.map(({ url }) => url.split('?')[0]).should.deepEqual([paths.Tibber, paths.Tibber, paths.EnergyZero]);
    should(sources.calls[2]?.authorization).equal(undefined);
  });
});
