/** The bytes of a delivery reach the webhook node unread in every layout of Node-RED's web server. */
import should from 'should';
import { sign } from '../../src/webhook/signature';
import { NodeRed, type FlowNode, type Settings } from '../support/node-red/node-red';
import { credentials, key, listReadingValues, webhookFlow } from '../support/webhook/flows';
import { delivery, formats, post, raw, shapes, Traffic, valueIn, type Sender } from '../support/webhook/sending';

interface Layout {
  readonly name: string;
  readonly options: Omit<Settings, 'flows' | 'credentials'>;
  readonly root: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly others?: readonly FlowNode[];
}

const neighbours: FlowNode[] = ['post', 'get'].flatMap((method) => [
  { id: `in-${method}`, type: 'http in', z: 'flow', url: '/cemm2', method, upload: false, wires: [[`out-${method}`]] },
  { id: `out-${method}`, type: 'http response', z: 'flow', statusCode: '204', wires: [] },
]);

/** Name `u`, password `monitor`. */
const basicAuth = `Basic ${Buffer.from('u:monitor').toString('base64')}`;

const layouts: readonly Layout[] = [
  { name: 'default settings', options: {}, root: '' },
  { name: 'httpAdminRoot moved', options: { settings: "httpAdminRoot: '/admin',", adminRoot: '/admin' }, root: '' },
  {
    name: 'httpNodeRoot moved, with a middleware that takes its time',
    options: {
      settings:
        "httpNodeRoot: '/api', httpNodeMiddleware: (req, res, next) => { req.seen = true; setTimeout(next, 2); },",
    },
    root: '/api',
  },
  {
    name: 'httpNodeAuth on',
    options: {
      settings: "httpNodeAuth: { user: 'u', pass: '$2b$04$OQG57A79w5x02mCeodO/f.jwJfXMkxNRHjJMiKqyfNHbYKEm6mqI.' },",
    },
    root: '',
    headers: { authorization: basicAuth },
  },
  { name: 'an http in node of somebody else on a neighbouring path', options: {}, root: '', others: neighbours },
];

describe('webhook deliveries in the layouts of Node-RED @node-red-5', function () {
  this.timeout(120_000);

  for (const { name, options, root, headers = {}, others = [] } of layouts) {
    describe(name, () => {
      let nodeRed: NodeRed;
      let sender: Sender;

      before(async () => {
        nodeRed = await NodeRed.start({ ...options, flows: webhookFlow({}, others), credentials });
        sender = { url: `${nodeRed.url}${root}/cemm`, key, headers };
      });

      after(async () => {
        await nodeRed.stop();
      });

      it('WA9, WA10, WT5: are accepted byte for byte and refused with a wrong signature, in every encoding and format', async () => {
        const sent: number[] = [];
        for (const [shape, pieces] of Object.entries(shapes)) {
          for (const [format, write] of Object.entries(formats)) {
            const body = write(delivery());
            const good = await raw(sender.url, pieces(sender, body, sign(key, body)));
            good.status.should.equal(200, `${shape}, ${format}: ${good.text}`);
            sent.push(valueIn(body));
            const wrong = await raw(sender.url, pieces(sender, write(delivery()), sign(key, body)));
            // 24 of them come from this address within a minute: under the limit.
            wrong.status.should.equal(401, `${shape}, ${format}: ${wrong.text}`);
            wrong.text.should.containEql('"bad_signature"');
          }
        }
        const messages = await nodeRed.waitForMessages('deliveries', sent.length);
        listReadingValues(messages).should.deepEqual(sent);
        const problems = await nodeRed.waitForMessages('problems', 1);
        problems.should.containDeep([
          { topic: 'cemm/unknown/problem', payload: { kind: 'problem', reason: 'bad_signature', remote: '127.0.0.1' } },
        ]);
      });

      it('WT9, WB7: are answered by the node and not by an earlier parser', async () => {
        for (const [body, status, word] of [
          ['{"format":', 400, 'bad_json'],
          ['['.repeat(12_000) + ']'.repeat(12_000), 400, 'too_deep'],
          ['"text"', 422, 'not_a_delivery'],
          [' '.repeat(300 * 1024), 413, 'too_large'],
        ] as const) {
          const reply = await post(sender, Buffer.from(body));
          reply.status.should.equal(status);
          should(JSON.parse(reply.text)).containDeep({ error: word });
        }
        const zipped = await post(sender, delivery(), { 'content-encoding': 'gzip' });
        zipped.status.should.equal(415);
        for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
          const reply = await fetch(sender.url, { method, headers });
          [405, 204].should.containEql(reply.status);
          if (method !== 'OPTIONS') should(reply.headers.get('allow')).equal('POST');
        }
        nodeRed.running.should.be.true();
      });

      it('WT10: reach the path in any case and with a trailing slash, and no other path', async () => {
        for (const path of ['/cemm', '/CEMM', '/cemm/']) {
          (await post({ ...sender, url: `${nodeRed.url}${root}${path}` }, delivery())).status.should.equal(200, path);
        }
        for (const path of ['/cemm/x', '/cem', '/cemm;x', '/%63emm']) {
          (await post({ ...sender, url: `${nodeRed.url}${root}${path}` }, delivery())).status.should.equal(404, path);
        }
      });

      if (headers['authorization'] !== undefined) {
        it('WT19: are refused without user name and password before the body is read', async () => {
          const reply = await post({ url: sender.url, key }, delivery());
          reply.status.should.equal(401);
          reply.text.should.equal('Unauthorized');
        });
      }

      if (others.length > 0) {
        it('continue while the neighbour is deleted and comes back', async () => {
          const traffic = new Traffic(() => sender, 4, 5);
          try {
            for (let round = 0; round < 10; round++) {
              // Without the credentials, which stay unchanged: with them our node would count as changed.
              await nodeRed.deploy(webhookFlow({}, round % 2 === 0 ? [] : neighbours), 'nodes');
            }
          } finally {
            await traffic.stop();
          }
          traffic.broken.should.be.empty();
          traffic.replies.filter(({ status }) => status !== 200).should.be.empty();
          traffic.count(200).should.be.above(20);
          (await fetch(`${nodeRed.url}/cemm2`, { method: 'POST' })).status.should.equal(204);
          (await post(sender, delivery())).status.should.equal(200);
        });
      }
    });
  }
});
