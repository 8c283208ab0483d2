/** The commands cemm-report and cemm-simulator --replay from the installed package. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import should from 'should';
import type { ReceivedDelivery } from '../../src/report/deliveries';
import { recordDeliveries } from '../../src/report/record-deliveries';
import { reportOfDeliveries } from '../../src/report/report';
import { readReport } from '../../src/report/read-report';
import { fileOf, type Report } from '../../src/report/report-file';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { installedModules } from '../support/node-red/installed-package';

interface Run {
  readonly code: number;
  readonly err: string;
}

describe('cemm-report, installed', function () {
  this.timeout(180_000);
  let folder = '';
  let package_ = '';
  let simulator: Simulator;
  const children: ChildProcess[] = [];

  before(async () => {
    package_ = path.join(await installedModules(), 'node-red-contrib-cemm');
    folder = mkdtempSync(path.join(tmpdir(), 'cemm-report-'));
    simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      clock: createSimulatedClock(),
      apiKey: 'secret-of-a-test',
    });
  });

  after(async () => {
    for (const child of children) child.kill();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function commandOf(name: string): string {
    const { bin } = JSON.parse(readFileSync(path.join(package_, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    return path.join(package_, bin[name] ?? '');
  }

  function report(file: string, args: readonly string[], key?: string): Promise<Run> {
    const output = path.join(folder, file);
    return new Promise((resolve) => {
      const env = { ...process.env, ...(key !== undefined && { CEMM_API_KEY: key }) };
      execFile(commandOf('cemm-report'), [...args, '--output', output], { env }, (error, _out, err) => {
        resolve({ code: typeof error?.code === 'string' ? -1 : (error?.code ?? 0), err });
      });
    });
  }

  const read = (file: string): Report => readReport(readFileSync(path.join(folder, file), 'utf8'));

  async function replay(file: string, ...args: string[]): Promise<string> {
    const child = spawn(commandOf('cemm-simulator'), ['--replay', path.join(folder, file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = await new Promise<string[]>((resolve) => {
      createInterface({ input: child.stdout }).once('line', (first) => {
        resolve([first]);
      });
    });
    const { local, remote } = JSON.parse(line ?? '') as { local: string | null; remote: string | null };
    return local ?? remote ?? '';
  }

  const local = (): readonly string[] => ['--host', simulator.local ?? '', '--allow-loopback'];

  it('makes a report of a monitor in the network, without its MAC address', async () => {
    const { code, err } = await report('local.json', local());
    should(err).match(/\d+ requests, 0 of \d+ readings failed/);
    code.should.equal(0);
    const { mode, exchanges } = read('local.json');
    mode.should.equal('local');
    exchanges.length.should.be.above(10);
    const text = readFileSync(path.join(folder, 'local.json'), 'utf8');
    const mac = simulator.monitors[0]?.mac ?? '';
    text.should.not.match(new RegExp(mac.replaceAll(':', '[:-]?'), 'i'));
    text.should.not.match(/127\.0\.0\.1/);
  });

  it('AR6: is written to a file that only its user can read, also in place of another one', async () => {
    const file = path.join(folder, 'private.json');
    writeFileSync(file, 'older', { mode: 0o644 });
    (await report('private.json', local())).code.should.equal(0);
    (await report('new.json', local())).code.should.equal(0);
    for (const name of ['private.json', 'new.json']) {
      (statSync(path.join(folder, name)).mode & 0o777).should.equal(0o600);
      read(name).exchanges.length.should.be.above(10);
    }
  });

  it('is answered by the simulator as by the monitor', async () => {
    const origin = await replay('local.json', '--local-port', '0');
    const { exchanges } = read('local.json');
    for (const { path: asked, query, answer } of exchanges) {
      const response = await fetch(`${origin}/${asked}?${new URLSearchParams(query).toString()}`);
      should('json' in answer && JSON.stringify(answer.json)).equal(await response.text());
    }
  });

  it('answers with the time of now when it is moved to today', async () => {
    const origin = await replay('local.json', '--local-port', '0', '--today');
    const response = await fetch(`${origin}/open-api/v1/p1/realtime/`);
    const { data } = (await response.json()) as { data: { t1: [number, number] } };
    should(Math.abs(Date.now() - data.t1[0])).be.below(3_600_000);
  });

  it('sends the deliveries of a report again', async () => {
    const body = {
      cemm: 1,
      time: 1_781_542_820,
      data: { water: { volume: { reading: { time: 1_781_542_800, value: 12.5 } } } },
    };
    const received = { at: 1_781_542_820_000, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    const original = await reportOfDeliveries([received, received], { timezone: 'Europe/Amsterdam', version: '0.2.0' });
    writeFileSync(path.join(folder, 'deliveries.json'), fileOf(original));
    const stop = new AbortController();
    let sent: Promise<readonly ReceivedDelivery[]> = Promise.resolve([]);
    const port = await new Promise<number>((resolve) => {
      const on = { onListening: resolve, onDelivery: () => undefined };
      sent = recordDeliveries({ port: 0, address: '127.0.0.1', signal: stop.signal, ...on });
    });
    const address = `http://127.0.0.1:${port}/cemm`;
    const args = ['--replay', path.join(folder, 'deliveries.json'), '--webhook', address, '--every', '1'];
    await promisify(execFile)(commandOf('cemm-simulator'), args);
    stop.abort();
    const bodies = (await sent).map((one) => JSON.parse(Buffer.from(one.body).toString()) as unknown);
    bodies.should.eql(original.deliveries.map((one) => one.body));
  });

  it('makes a report through the service, without the key', async () => {
    const { code } = await report('remote.json', ['--base-url', simulator.remote ?? ''], 'secret-of-a-test');
    code.should.equal(0);
    readFileSync(path.join(folder, 'remote.json'), 'utf8').should.not.match(/secret-of-a-test/);
    read('remote.json')
      .made.filter((made) => 'payload' in made)
      .length.should.be.above(5);
  });

  it('ends with 1 and says why when nothing answers, and with 2 when the options are wrong', async () => {
    const none = await report('none.json', ['--host', 'http://127.0.0.1:9', '--allow-loopback']);
    none.code.should.equal(1);
    none.err.should
      .match(/: 2 requests, 2 of 2 readings failed\n/)
      .and.match(/: Nothing answers at this address and port\./);
    const refused = await report('none.json', ['--host', '127.0.0.1:9']);
    refused.code.should.equal(1);
    refused.err.should.match(/Only --allow-loopback accepts an address of this machine\./);
    (await report('none.json', ['--base-url', 'https://open-api.cemm.nl/v1/'], ' ')).should.match({
      code: 2,
      err: /CEMM_API_KEY/,
    });
  });
});
