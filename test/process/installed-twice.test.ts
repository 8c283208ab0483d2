/** Two installed versions of the package in one Node-RED (fault LC13): one serves, the other is refused by name. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import should from 'should';
import { NodeRed } from '../support/node-red/node-red';
import { credentials, key, listReadingValues, webhookFlow } from '../support/webhook/flows';
import { delivery, post, valueIn } from '../support/webhook/sending';

const ours = 'node-red-contrib-cemm';
const other = 'node-red-contrib-cemm-fork';
const otherVersion = '0.0.9';

/** The same package under another name and version, as a fork beside the original. */
async function installTwice(userDir: string): Promise<string[]> {
  const folder = join(userDir, 'node_modules', other);
  await cp(join(userDir, 'node_modules', ours), folder, { recursive: true });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { 'node-red': { nodes: Record<string, string> } };
  await writeFile(file, JSON.stringify({ ...manifest, name: other, version: otherVersion }));
  return Object.keys(manifest['node-red'].nodes);
}

interface NodeSet {
  readonly module: string;
  readonly version: string;
  readonly types: readonly string[];
  readonly err?: string;
}

async function nodeSets(nodeRed: NodeRed): Promise<NodeSet[]> {
  const all = (await (await nodeRed.admin('/nodes')).json()) as NodeSet[];
  return all.filter(({ module }) => module === ours || module === other);
}

describe('a package that is installed twice', function () {
  this.timeout(120_000);

  it('LC13: registers nodes, routes and layers once, and each delivery arrives once', async () => {
    const alone = await NodeRed.start({ flows: webhookFlow(), credentials });
    const userDir = alone.userDir;
    const expected = { layers: (await alone.handles()).layers, routes: await alone.ask('adminRoutes') };
    should(expected.routes).not.be.empty();
    await alone.stop({ keep: true });

    const types = await installTwice(userDir);
    const nodeRed = await NodeRed.start({ userDir, flows: webhookFlow(), credentials });
    try {
      const sets = await nodeSets(nodeRed);
      const refused = sets.filter(({ err }) => err !== undefined);
      const serving = sets.filter(({ err }) => err === undefined);
      should(serving.flatMap((set) => [...set.types]).sort()).eql([...types].sort());
      should(refused.flatMap((set) => [...set.types]).sort()).eql([...types].sort());
      for (const set of [serving, refused]) should(new Set(set.map(({ module }) => module)).size).equal(1);
      should([...new Set(sets.map(({ version }) => version))]).containEql(otherVersion);
      // The log contains the reason.
      should(nodeRed.log).match(/cemm-webhook-in.*already registered/);

      should({ layers: (await nodeRed.handles()).layers, routes: await nodeRed.ask('adminRoutes') }).eql(expected);
      const sender = { url: `${nodeRed.url}/cemm`, key };
      const bodies = [delivery(), delivery()];
      const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = bodies;
      should((await post(sender, first)).status).equal(200);
      await nodeRed.deploy(webhookFlow({ name: 'again' }), 'full', credentials);
      should((await post(sender, second)).status).equal(200);
      const messages = await nodeRed.waitFor('deliveries', (all) => listReadingValues(all).includes(valueIn(second)));
      should(listReadingValues(messages)).eql(bodies.map(valueIn));
      should((await nodeRed.handles()).layers).eql(expected.layers);
    } finally {
      await nodeRed.stop();
    }
  });
});
