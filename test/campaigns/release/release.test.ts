/**
 * The release that a dry run makes, installed from a registry by the palette's own API into an empty Node-RED: every example is deployed,
 * the package is removed, and version 0.1.0 is updated with its flows and credentials. Needs the history of the repository.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, mkdir, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import should from 'should';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { dashboardPackage } from '../../support/first-hour/house';
import { complaints, deployEveryExample, exampleOf } from '../../support/node-red/import-menu';
import { projectDir } from '../../support/node-red/installed-package';
import { LocalRegistry } from '../../support/node-red/local-registry';
import { collector, freePort, NodeRed, tab, together } from '../../support/node-red/node-red';
import { asking, remoteConnection, testKey, trigger } from '../../support/node-red/remote-flow';
import { until } from '../../support/until';
import { credentials as webhookCredentials, key, webhookFlow } from '../../support/webhook/flows';
import { delivery, post } from '../../support/webhook/sending';

const run = promisify(execFile);

/** The last commit with the version 0.1.0. */
const lastCommit = 'a20bd876f87276be102a742c89b1cc1e5f5ca4cc';

/**
 * The package as it was in version 0.1.0, built and packed from the history of this repository: what users update from.
 * @param folder an empty one
 * @returns the tarball. Rejects in a shallow clone, which does not have the commit: `git fetch --unshallow`.
 */
async function packageOf010(folder: string): Promise<string> {
  const source = join(folder, 'source');
  await mkdir(source, { recursive: true });
  const archive = join(folder, 'source.tar');
  await run('git', ['archive', '--output', archive, lastCommit], { cwd: projectDir });
  await run('tar', ['-xf', archive, '-C', source]);
  await symlink(join(projectDir, 'node_modules'), join(source, 'node_modules'));
  await run('npm', ['run', '--silent', 'build'], { cwd: source });
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: source });
  const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  if (packed === undefined) throw new Error('npm pack made no tarball of 0.1.0');
  return join(folder, packed);
}

const ours = 'node-red-contrib-cemm';
describe('a release @node-red-5', function () {
  this.timeout(600_000);
  let folder: string;
  let registry: LocalRegistry;
  let version: string;
  let said: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-release-'));
    const manifest = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as { version: string };
    version = manifest.version;
    ({ stdout: said } = await run('npm', ['run', '--silent', 'release', '--', '--dry-run', '--output', folder], {
      cwd: projectDir,
    }));
    const old = await packageOf010(await mkdtemp(join(folder, '0.1.0-')));
    registry = await LocalRegistry.open([dashboardPackage], [old, join(folder, `${ours}-${version}.tgz`)]);
  });

  after(async () => {
    await registry.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function startEmpty(): Promise<NodeRed> {
    // The example fleet-receiver reads its port from the environment.
    const env = { npm_config_registry: registry.url, CEMM_RECEIVER_PORT: String(await freePort()) };
    return NodeRed.start({ isBare: true, env });
  }

  async function install(nodeRed: NodeRed, module: string, wanted?: string): Promise<void> {
    const response = await nodeRed.admin('/nodes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ module, ...(wanted !== undefined && { version: wanted }) }),
    });
    should(response.status).equal(200, await response.text());
  }

  async function installed(nodeRed: NodeRed): Promise<string[]> {
    const sets = (await (await nodeRed.admin('/nodes')).json()) as { module: string; version: string; err?: string }[];
    return [
      ...new Set(sets.filter(({ module }) => module === ours).map((set) => `${set.version} ${set.err ?? 'runs'}`)),
    ];
  }

  it('passes its dry run, which publishes nothing', () => {
    const states = said.split('\n').filter((line) => /^(?:ok|to do|FAILED)/.test(line));
    should(states.map((line) => line.slice(7, line.indexOf(':')))).eql([
      ...['working tree', 'version', 'changelog', 'tag', 'tarball', 'provenance'],
      ...['bundlers and TypeScript', 'flow library', 'dependencies'],
    ]);
    should(states.filter((line) => line.startsWith('FAILED'))).be.empty();
    should(said).containEql('Nothing is published.');
  });

  it('is installed in an empty Node-RED, runs every example, and is removed', async () => {
    const nodeRed = await startEmpty();
    try {
      await install(nodeRed, dashboardPackage);
      await install(nodeRed, ours, version);
      should(await installed(nodeRed)).eql([`${version} runs`]);
      should((await deployEveryExample(nodeRed)).length).be.above(10);
      should(complaints(nodeRed.log)).be.empty();
      await nodeRed.deploy([tab()]);
      should((await nodeRed.admin(`/nodes/${ours}`, { method: 'DELETE' })).status).equal(204);
      should(await installed(nodeRed)).be.empty();
      should(await readFile(join(nodeRed.userDir, 'package.json'), 'utf8')).not.containEql(ours);
    } finally {
      await nodeRed.stop();
    }
  });

  it('takes the place of 0.1.0, with its flows and credentials', async () => {
    const service = await startSimulator({ remotePort: 0, apiKey: testKey });
    const first = await startEmpty();
    let userDir = first.userDir;
    try {
      await install(first, dashboardPackage);
      await install(first, ours, '0.1.0');
      const names = ['energy-page', 'alarms', 'solar-surplus', 'daily-mail'];
      const flows = together([
        ...(await Promise.all(names.map((name) => exampleOf(first, name)))),
        [...webhookFlow(), remoteConnection(service)],
        [
          asking('realtime', 'reading'),
          trigger('fire', ['reading']),
          ...collector('out'),
          ...collector('availability'),
        ],
      ]);
      await first.deploy(flows, 'full', { ...webhookCredentials, 'remote-connection': { apiKey: testKey } });
      const stored: unknown = await (await first.admin('/flows')).json();
      await install(first, ours, version);
      await first.stop({ keep: true });

      const second = await NodeRed.start({
        userDir,
        env: { npm_config_registry: registry.url },
        port: await freePort(),
      });
      userDir = second.userDir;
      try {
        should(await installed(second)).eql([`${version} runs`]);
        should(await (await second.admin('/flows')).json()).eql(stored);
        await second.inject('fire');
        await second.waitForMessages('out', 1);
        const reply = await post({ url: `${second.url}/cemm`, key }, delivery());
        should(reply.status).equal(200);
        await second.waitForMessages('deliveries', 1);
        await until('a page of then', () => /Started flows/.test(second.log));
        should(complaints(second.log)).be.empty();
      } finally {
        await second.stop();
      }
    } finally {
      await service.close();
      await first.stop();
    }
  });
});
