/** One webhook node for a fleet in a whole Node-RED: parameters in the path, keys from every source. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';
import { projectDir } from '../support/node-red/installed-package';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { webhookFlow, webhookNode } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';

/** One node per key source. */
const nodes = [
  { id: 'env', path: '/env/:installation', hmacKeyFromType: 'env', hmacKeyFrom: 'FLEET_KEY_${installation}' },
  { id: 'global', path: '/global/:street/:installation', hmacKeyFromType: 'global', hmacKeyFrom: 'fleetKeys' },
  { id: 'flow', path: '/tab/:installation', hmacKeyFromType: 'flow', hmacKeyFrom: 'keys' },
  { id: 'jsonata', path: '/jsonata/:cemm', hmacKeyFromType: 'jsonata', hmacKeyFrom: '"key of " & req.params.cemm' },
  { id: 'shared', path: '/shared/:installation', hmacKeyFromType: 'credential', hmacKeyFrom: '' },
  {
    id: 'function',
    path: '/function/:installation',
    hmacKeyFromType: 'jsonata',
    hmacKeyFrom: '$globalContext("cemmKey")(installation)',
  },
] as const;

const flows = [
  tab(),
  ...nodes.map((node) => webhookNode(node)),
  {
    id: 'fill',
    type: 'inject',
    z: 'flow',
    props: [],
    repeat: '',
    once: true,
    onceDelay: 0,
    wires: [['store']],
  },
  {
    id: 'store',
    type: 'function',
    z: 'flow',
    func: "flow.set('keys', { 'house-1': { key: 'flow key', previous: 'old flow key', cemm: 24000001 } });",
    outputs: 0,
    wires: [],
  },
  ...collector('deliveries'),
  ...collector('problems'),
];

describe('a webhook node for a fleet in Node-RED', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows,
      credentials: { shared: { hmacKey: 'one key for all' } },
      env: { 'FLEET_KEY_house-1': 'env key 1', 'FLEET_KEY_house-2': 'env key 2' },
      settings: `functionGlobalContext: {
        fleetKeys: { north: { 'house-1': 'global key' } },
        cemmKey: (installation) => new Map([['house-1', { key: 'key behind a function', cemm: 24000001 }]]).get(installation),
      },`,
    });
    // The right key of another monitor: refused by its number once the flow has filled its context.
    await until('the keys of the flow', async () => {
      const { status } = await call('/tab/house-1', 'flow key', delivery({ cemm: 24000002 }));
      return status === 403;
    });
  });

  after(async () => {
    await nodeRed.stop();
  });

  const call = (path: string, key: string, body = delivery()) => post({ url: `${nodeRed.url}${path}`, key }, body);

  it('finds the key of each installation in environment, context and expression', async () => {
    const good: [string, string][] = [
      ['/env/house-1', 'env key 1'],
      ['/env/house-2', 'env key 2'],
      ['/global/north/house-1', 'global key'],
      ['/tab/house-1', 'flow key'],
      ['/tab/house-1/', 'old flow key'],
      ['/jsonata/24000001', 'key of 24000001'],
      ['/function/house-1', 'key behind a function'],
      ['/shared/house-7', 'one key for all'],
    ];
    for (const [path, key] of good) (await call(path, key)).status.should.equal(200, path);
    const messages = await nodeRed.waitForMessages('deliveries', good.length);
    messages
      .map(({ payload }) => (payload as WebhookPayload).installation)
      .should.deepEqual([
        'house-1',
        'house-2',
        'north/house-1',
        'house-1',
        'house-1',
        '24000001',
        'house-1',
        'house-7',
      ]);
    messages
      .map(({ topic }) => topic)
      .should.deepEqual(
        ['house-1', 'house-2', 'north_house-1', 'house-1', 'house-1', '24000001', 'house-1', 'house-7'].map(
          (house) => `cemm/${house}/webhook`,
        ),
      );
  });

  it('refuses with one and the same answer a wrong key and an installation that nobody knows', async () => {
    const bad: [string, string][] = [
      ['/env/house-1', 'env key 2'],
      ['/env/house-9', 'env key 2'],
      ['/global/north/house-1', 'wrong'],
      ['/global/south/house-1', 'global key'],
      ['/global/__proto__/constructor', 'global key'],
      ['/tab/house-9', 'flow key'],
      ['/jsonata/24000002', 'key of 24000001'],
      ['/function/house-9', 'key behind a function'],
      ['/function/__proto__', 'key behind a function'],
      ['/shared/house-7', 'wrong'],
      ['/env/a%20b', 'env key 1'],
    ];
    const answers = await Promise.all(bad.map(async ([path, key]) => (await call(path, key)).text));
    new Set(answers).size.should.equal(1);
    should(answers[0]).containEql('bad_signature');
    // The path contains the number of the monitor, and the delivery is from another one.
    const forged = await call('/jsonata/24000001', 'key of 24000001', delivery({ cemm: 24000002 }));
    forged.status.should.equal(403);
    const bound = await call('/tab/house-1', 'flow key', delivery({ cemm: 24000002 }));
    bound.status.should.equal(403);
    for (const path of ['/env', '/env/a/b', '/env/']) (await call(path, 'env key 1')).status.should.equal(404, path);
    const problems = await nodeRed.waitForMessages('problems', 6);
    problems
      .map(({ payload }) => payload as ProblemPayload)
      .filter(({ reason }) => reason === 'bad_signature')
      .map(({ installation }) => installation)
      .should.containDeep(['house-1', 'north/house-1'])
      .and.not.containEql('house-9');
  });

  it('WA32: shows keys in a context object to users who can read the context, and none behind a function', async () => {
    const context = async (name: string): Promise<string> => (await nodeRed.admin(`/context/global/${name}`)).text();
    should(await context('fleetKeys')).containEql('global key');
    const shown = await context('cemmKey');
    shown.should.containEql('function').and.not.containEql('key behind');
    should(await context('')).not.containEql('key behind');
  });

  it('notices a key that is changed in its store without a deploy', async () => {
    (await call('/tab/house-1', 'next key')).status.should.equal(401);
    const changed = flows.map((node) =>
      node.id === 'store' ? { ...node, func: "flow.set('keys', { 'house-1': 'next key' });" } : node,
    );
    await nodeRed.deploy(changed, 'nodes', { shared: { hmacKey: 'one key for all' } });
    await nodeRed.inject('fill');
    await until('the next key', async () => (await call('/tab/house-1', 'next key')).status === 200);
    (await call('/tab/house-1', 'flow key')).status.should.equal(401);
  });

  it('sends a test from the dialog as one of its installations', async () => {
    const test = async (body: object): Promise<Record<string, unknown>> => {
      const response = await nodeRed.admin('/cemm-webhook-in/test', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'test' },
        body: JSON.stringify({ hmac: true, hmacKey: '__PWRD__', ...body }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const global = { id: 'global', path: '/global/:street/:installation' };
    should(await test({ ...global, installation: 'north/house-1' })).containDeep({ failure: null, status: 200 });
    should(await test({ ...global, installation: 'north' })).deepEqual({ failure: 'no_installation', ms: 0 });
    should(await test(global)).deepEqual({ failure: 'no_installation', ms: 0 });
    should(await test({ ...global, installation: 'north/house-9' })).deepEqual({
      failure: 'unknown_installation',
      ms: 0,
    });
    const jsonata = { id: 'jsonata', path: '/jsonata/:cemm', installation: '24000009' };
    should(await test(jsonata)).containDeep({ failure: null, status: 200 });
    const shared = { id: 'shared', path: '/shared/:installation', installation: 'house-3' };
    should(await test(shared)).containDeep({ failure: null, status: 200 });
    const listed = (await (await nodeRed.admin('/cemm-webhook-in/deliveries?id=global')).json()) as {
      accepted: unknown[];
    };
    should(listed.accepted[0]).containDeep({ word: 'accepted', installation: 'north/house-1' });
  });

  it('refuses paths that overlap, and a blank key store', async () => {
    const before = nodeRed.log.length;
    await nodeRed.deploy([
      ...webhookFlow({
        id: 'hook',
        path: '/cemm/:installation',
        hmacKeyFromType: 'env',
        hmacKeyFrom: '${installation}',
      }),
      webhookNode({ id: 'two', path: '/x/:a', hmacKeyFromType: 'global', hmacKeyFrom: 'fleetKeys' }),
      webhookNode({ id: 'three', path: '/x/house', hmacKeyFromType: 'global', hmacKeyFrom: 'fleetKeys' }),
      webhookNode({ id: 'four', path: '/y/:a', hmacKeyFromType: 'jsonata', hmacKeyFrom: '$sum((' }),
    ]);
    const said = nodeRed.log.slice(before);
    should(said).match(/The place of the HMAC keys is not valid/);
    should(said).match(/belongs to the node two \(flow\) already/);
    should(said.match(/place of the HMAC keys is not valid/g)?.length).equal(2);
    (await call('/cemm/PATH', process.env['PATH'] ?? '')).status.should.equal(404);
  });

  it('WB22: separates two installations without a monitor number, in the formats and in the example fleet-receiver', async () => {
    const example = JSON.parse(
      readFileSync(join(projectDir, 'examples/fleet/fleet-receiver.json'), 'utf8'),
    ) as FlowNode[];
    const toBroker = example.find(({ id }) => id === 'cemm-fleet-in-hold');
    if (toBroker === undefined) throw new Error('the example has no such node');
    const there = "return { status: { fill: 'green' } };";
    const points = { id: 'points', type: 'cemm-format', z: 'flow', format: 'influx', wires: [['written']] };
    const errors = { id: 'errors', type: 'catch', z: 'flow', scope: ['points'], wires: [['refused']] };
    await nodeRed.deploy(
      [
        tab(),
        webhookNode({ ...nodes[4], path: '/fleet/:installation', wires: [['toBroker', 'points'], []] }),
        webhookNode({ id: 'one', path: '/one', hmac: false, open: true, wires: [['points'], []] }),
        { ...toBroker, id: 'toBroker', z: 'flow', wires: [['published']] },
        { id: 'start', type: 'inject', z: 'flow', props: [], repeat: '', once: true, onceDelay: 0, wires: [['there']] },
        { id: 'there', type: 'function', z: 'flow', func: there, outputs: 1, wires: [['toBroker']] },
        points,
        errors,
        ...['published', 'written', 'refused'].flatMap((name) => collector(name)),
      ],
      'full',
      { shared: { hmacKey: 'one key for all' } },
    );
    const series = { data: [[1_792_929_600, 3]] };
    const houses = ['house-1', '001122aabbcc'];
    const macs = ['001122aabbcc', '001122aabbcc'];
    for (const house of houses) {
      for (const body of [series, { meters: [{ key: 'zon' }] }]) {
        const reply = await call(`/fleet/${house}`, 'one key for all', Buffer.from(JSON.stringify(body)));
        reply.status.should.equal(200, reply.text);
      }
    }
    const published = await nodeRed.waitForMessages('published', 4);
    published
      .map(({ topic }) => topic)
      .should.deepEqual(['house-1', 'house-1', ...macs].map((house) => `cemm/${house}/webhook`));
    published.map(({ payload }) => (payload as WebhookPayload).monitor.id).should.deepEqual([null, null, ...macs]);
    should(published[1]?.payload).containDeep({ raw: { meters: [{ key: 'zon' }] } });
    const written = await nodeRed.waitForMessages('written', 2);
    written
      .map(({ payload }) => (payload as { tags: unknown }[])[0]?.tags)
      .should.deepEqual(houses.map((monitor) => ({ monitor })));
    (await call('/one', '', Buffer.from(JSON.stringify(series)))).status.should.equal(200);
    const refused = await nodeRed.waitForMessages('refused', 3);
    const { code, message } = refused[2]?.error as { code: string; message: string };
    code.should.equal('INPUT');
    message.should.match(/connection.*\/cemm\/:installation/);
  });

  it('says in its status and its log where installations share a key, and where one is short', async () => {
    const status = { id: 'status', type: 'status', z: 'flow', scope: ['shared', 'env'], wires: [['statuses']] };
    await nodeRed.deploy([...flows, status, ...collector('statuses')], 'full', {
      shared: { hmacKey: 'one key for all' },
    });
    for (const house of ['house-1', 'house-2'])
      (await call(`/shared/${house}`, 'one key for all')).status.should.equal(200);
    (await call('/env/house-1', 'env key 1')).status.should.equal(200);
    const shown = async (): Promise<string[]> =>
      (await nodeRed.messages('statuses')).map((message) => {
        const { fill, text, source } = Reflect.get(message, 'status') as Record<string, unknown> & {
          source: { id: string };
        };
        return `${source.id} ${String(fill)} ${String(text).replace(/\d\d:\d\d/, 'at')}`;
      });
    await until('the status of the shared key', async () =>
      (await shown()).includes('shared yellow received at, one key for all'),
    );
    await until('the status of a key of its own', async () => (await shown()).includes('env green received at'));
    await until('the warning', () => /shorter than 32 characters/.test(nodeRed.log));
    nodeRed.log.should.not.containEql('env key 1');
  });

  it('accepts for a monitor in the path only bodies of that monitor, where all monitors have one key, and warns', async () => {
    const numbered = webhookNode({ id: 'numbered', path: '/numbered/:cemm' });
    const status = { id: 'status', type: 'status', z: 'flow', scope: ['numbered'], wires: [['statuses']] };
    const said = nodeRed.log.length;
    await nodeRed.deploy([...flows, numbered, status, ...collector('statuses')], 'full', {
      shared: { hmacKey: 'one key for all' },
      numbered: { hmacKey: 'one key for all, which is a long one' },
    });
    const key = 'one key for all, which is a long one';
    const samples = Buffer.from(JSON.stringify([[Math.floor(Date.now() / 1000), 1]]));
    for (const body of [samples, delivery({ cemm: 24000002 })]) {
      const refused = await call('/numbered/24000001', key, body);
      refused.status.should.equal(403);
      refused.text.should.containEql('monitor_not_allowed');
    }
    (await call('/numbered/24000001', key, delivery({ cemm: 24000001 }))).status.should.equal(200);
    await until('the status', async () =>
      (await nodeRed.messages('statuses')).some((message) =>
        /one key for all/.test(String(Reflect.get(Object(Reflect.get(message, 'status')), 'text'))),
      ),
    );
    await until('the warning', () => /use the same key/.test(nodeRed.log.slice(said)));
  });

  it('WB25: makes every topic valid for any name of a meter', async () => {
    const flow = webhookFlow({ ...nodes[4], wires: [['values', 'deliveries'], []] }, [
      { id: 'values', type: 'cemm-format', z: 'flow', format: 'values', wires: [['values-out']] },
      ...collector('values-out'),
    ]);
    await nodeRed.deploy(flow, 'full', { shared: { hmacKey: 'one key for all' } });
    const time = Math.floor(Date.now() / 1000);
    const data = { 'water+#\n/x': { volume: { reading: { time, value: 1 } } } };
    (await call('/shared/house-9', 'one key for all', delivery({ data }))).status.should.equal(200);
    const [values] = await nodeRed.waitForMessages('values-out', 1);
    should(values?.topic).equal('cemm/house-9/water____x/webhook');
    const topics = (await nodeRed.messages('deliveries')).map(({ topic }) => topic);
    should(topics.at(-1)).equal('cemm/house-9/webhook');
  });

  it('carries the parameters in the message as a core http in does', async () => {
    const reader = {
      id: 'reader',
      type: 'function',
      z: 'flow',
      func: "return { payload: msg.req.params, topic: 'params' };",
      outputs: 1,
      wires: [['deliveries']],
    };
    await nodeRed.deploy([...webhookFlow({ ...nodes[1], wires: [['reader'], []] }, [reader])]);
    (await call('/global/north/house-1', 'global key')).status.should.equal(200);
    const messages: CollectedMessage[] = await nodeRed.waitFor('deliveries', (all) =>
      all.some(({ topic }) => topic === 'params'),
    );
    should(messages.at(-1)?.payload).deepEqual({ street: 'north', installation: 'house-1' });
    nodeRed.log.should.not.containEql('global key');
  });
});
