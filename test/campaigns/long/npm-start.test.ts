/** The first line of the README as a new user types it, and Ctrl-C afterwards. */
import 'should';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../../support/node-red/installed-package';
import { freePort } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { isPortOpen } from '../../support/network/loopback';

describe('npm start', function () {
  this.timeout(180_000);
  let demoDir: string;
  let port: number;
  let npm: ChildProcess | undefined;

  beforeEach(async () => {
    demoDir = await mkdtemp(join(tmpdir(), 'cemm-demo-'));
    port = await freePort();
  });

  afterEach(async () => {
    if (npm?.pid !== undefined && npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGKILL');
    await rm(demoDir, { recursive: true, force: true });
  });

  async function start(cwd = projectDir): Promise<{ pid: number; output: () => string }> {
    let output = '';
    // A separate group, as in a terminal: Ctrl-C is a SIGINT to the whole group.
    npm = spawn('npm', ['start'], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PORT: String(port), CEMM_DEMO_DIR: demoDir },
    });
    npm.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    npm.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(
      'the addresses on the console',
      () => {
        if (npm?.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
        return output.includes(`http://127.0.0.1:${port}/dashboard/energy`);
      },
      120_000,
    ).catch((error: unknown) => {
      throw new Error(`npm start printed only:\n${output}`, { cause: error });
    });
    if (npm.pid === undefined) throw new Error('npm did not start');
    return { pid: npm.pid, output: () => output };
  }

  it('serves the editor with our nodes and the dashboard, and Ctrl-C leaves no process and no port', async () => {
    const { pid } = await start();
    const nodes = (await (
      await fetch(`http://127.0.0.1:${port}/nodes`, { headers: { accept: 'application/json' } })
    ).json()) as { module: string; enabled: boolean; err?: unknown }[];
    const ours = nodes.filter((set) => set.module === 'node-red-contrib-cemm');
    ours.should.not.be.empty();
    ours.filter((set) => !set.enabled || set.err !== undefined).should.be.empty();
    (await fetch(`http://127.0.0.1:${port}/dashboard/energy`)).status.should.equal(200);
    process.kill(-pid, 'SIGINT');
    await until('every process of the group to end', () => !groupLives(pid));
    (await isPortOpen(port)).should.be.false();
  });

  /** The same script behind the same shell, but without a second build. */
  async function startWithoutBuild(): Promise<{ pid: number }> {
    const { scripts } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const program = join(projectDir, 'scripts/start.mjs');
    const built = scripts.start.replace(/^.* && /, '').replace('scripts/start.mjs', program);
    built.should.equal(`node ${program}`);
    await writeFile(join(demoDir, 'package.json'), JSON.stringify({ private: true, scripts: { start: built } }));
    return start(demoDir);
  }

  it('ends when only npm is told to, as a service manager does', async () => {
    const { pid } = await startWithoutBuild();
    process.kill(pid, 'SIGTERM');
    await until('every process of the group to end', () => !groupLives(pid));
    (await isPortOpen(port)).should.be.false();
  });

  it('takes flows from its own editor, and from no page of another site', async () => {
    await startWithoutBuild();
    const own = `127.0.0.1:${port}`;
    const origin = `http://${own}`;
    const fromOtherSites: readonly OutgoingHttpHeaders[] = [
      // A browser, a browser before Sec-Fetch-Site, a page without an origin, another port, and DNS rebinding.
      { origin: 'https://example.org', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      { origin: 'https://example.org' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      { origin: 'https://example.org', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { host: `example.org:${port}`, origin: `http://example.org:${port}`, 'sec-fetch-site': 'same-origin' },
      { host: `example.org:${port}` },
    ];
    const tab = JSON.stringify({
      label: 'planted',
      nodes: [{ id: 'planted', type: 'exec', command: 'id', wires: [] }],
    });
    const form = 'label=planted&nodes[0][id]=planted&nodes[0][type]=exec&nodes[0][command]=id';
    for (const headers of fromOtherSites) {
      const who = JSON.stringify(headers);
      (await ask('POST', '/flow', { ...headers, 'content-type': 'application/json' }, tab)).should.equal(403, who);
      (
        await ask('POST', '/flow', { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, form)
      ).should.equal(403, who);
      (await ask('POST', '/inject/any', headers)).should.equal(403, who);
      if (headers['sec-fetch-mode'] !== 'navigate') (await ask('GET', '/flows', headers)).should.equal(403, who);
    }
    const flows = await (await fetch(`${origin}/flows`)).text();
    flows.should.not.containEql('planted');
    // The editor itself, a program, and a link from another site.
    const json = { 'content-type': 'application/json' };
    const same = { ...json, origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    (await ask('POST', '/flow', same, '{"label":"mine","nodes":[]}')).should.equal(200);
    (await ask('POST', '/flow', json, '{"label":"mine too","nodes":[]}')).should.equal(200);
    (await ask('GET', '/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).should.equal(200);
    (await ask('GET', '/flows', { host: `localhost:${port}` })).should.equal(200);
  });

  function ask(method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      call.on('error', reject);
      call.end(body);
    });
  }
});

function groupLives(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
