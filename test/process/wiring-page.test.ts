/** The functions of docs/what-to-wire-it-to.md in front of a core http request node: the request that a server receives. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { projectDir } from '../support/node-red/installed-package';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { snippetsOf } from '../support/docs/snippets';
import { until } from '../support/until';
import { listenOnLoopback } from '../support/network/loopback';

interface Received {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const page = readFileSync(join(projectDir, 'docs/what-to-wire-it-to.md'), 'utf8');
const recorded = JSON.parse(readFileSync(join(projectDir, 'test/recorded/messages.json'), 'utf8')) as Readonly<
  Record<string, readonly { readonly payload: { readonly meter?: { readonly alias: string } } }[]>
>;
const readings = recorded['realtime of every meter, local'] ?? [];
const payloads: Readonly<Record<string, unknown>> = {
  EnergyID: readings.find(({ payload }) => payload.meter?.alias === 'p1')?.payload,
  MinderGas: readings.find(({ payload }) => payload.meter?.alias === 'p1-gas')?.payload,
  PVOutput: recorded['balance of a day with prices, remote']?.[0]?.payload,
  emoncms: readings.find(({ payload }) => payload.meter?.alias === 's01')?.payload,
};

/** Button, function and request; the function sends to this server in place of the documented one. */
function chain(name: string, server: string): FlowNode[] {
  const code = snippetsOf(page, 'js').find(({ heading }) => heading === name)?.code ?? '';
  const func = code.replace(/https:\/\/[\w.]+\//, `${server}/`);
  const payload = JSON.stringify(payloads[name]);
  return [
    {
      id: `go-${name}`,
      type: 'inject',
      z: 'flow',
      repeat: '',
      once: false,
      wires: [[`function-${name}`]],
      props: [{ p: 'payload' }],
      payload,
      payloadType: 'json',
    },
    { id: `function-${name}`, type: 'function', z: 'flow', func, outputs: 1, wires: [[`request-${name}`]] },
    { id: `request-${name}`, type: 'http request', z: 'flow', method: 'POST', ret: 'txt', url: '', wires: [[]] },
  ];
}

describe('the services of docs/what-to-wire-it-to.md', function () {
  this.timeout(60_000);
  const received: Received[] = [];
  let server: Server;
  let nodeRed: NodeRed;

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        received.push({ method: request.method, path: request.url ?? '', headers: request.headers, body });
        response.end('{}');
      });
    });
    const address = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    const variables = {
      ENERGYID_URL: `${address}/record`,
      MINDERGAS_TOKEN: 'gas token',
      PVOUTPUT_KEY: 'solar key',
      PVOUTPUT_SYSTEM: '4711',
      EMONCMS_URL: address,
      EMONCMS_KEY: 'write key',
    };
    const env = Object.entries(variables).map(([name, value]) => ({ name, type: 'str', value }));
    const chains = Object.keys(payloads).flatMap((name) => chain(name, address));
    nodeRed = await NodeRed.start({ flows: [{ ...tab(), env }, ...chains] });
  });

  after(async () => {
    await nodeRed.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function posted(name: string, count = 1): Promise<Received[]> {
    const before = received.length;
    await nodeRed.inject(`go-${name}`);
    await until(`requests to ${name}`, () => received.length >= before + count);
    const requests = received.slice(before);
    for (const { method } of requests) should(method).equal('POST');
    return requests;
  }

  it('get JSON: EnergyID a request per reading, MinderGas one with the key', async () => {
    const series = await posted('EnergyID', 2);
    for (const { path, headers } of series) {
      path.should.equal('/record');
      should(headers['content-type']).equal('application/json');
    }
    const metrics = series.map(({ body }) => (JSON.parse(body) as { metric: string }).metric);
    metrics.sort().should.eql(['electricityExport', 'electricityImport']);
    const [gas] = await posted('MinderGas');
    should(gas?.path).equal('/api/meter_readings');
    should(gas?.headers['auth-token']).equal('gas token');
    should(gas?.headers['content-type']).equal('application/json');
    should(JSON.parse(gas?.body ?? '')).have.keys('date', 'reading');
  });

  it('get a form: PVOutput the energies of today, emoncms the numbers of a reading', async () => {
    const [solar] = await posted('PVOutput');
    should(solar?.path).equal('/service/r2/addstatus.jsp');
    should(solar?.headers).containEql({ 'x-pvoutput-apikey': 'solar key', 'x-pvoutput-systemid': '4711' });
    should(solar?.headers['content-type']).startWith('application/x-www-form-urlencoded');
    should([...new URLSearchParams(solar?.body).keys()]).eql(['d', 't', 'v1', 'v3']);
    const [emoncms] = await posted('emoncms');
    should(emoncms?.path).equal('/input/post');
    should(emoncms?.headers['authorization']).equal('Bearer write key');
    const form = new URLSearchParams(emoncms?.body);
    should(form.get('node')).equal('s01');
    should(JSON.parse(form.get('fulljson') ?? ''))
      .have.property('power_w')
      .which.is.a.Number();
  });
});
