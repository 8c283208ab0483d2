import { spawn, type ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import path from 'node:path';
import should from 'should';
import { faults } from '../../../src/simulator/faults';
import { houses } from '../../../src/simulator/houses';
import { startReceiver } from '../../support/simulator/receiver';
import { until } from '../../support/until';

type Line = Readonly<Record<string, unknown>>;

interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly error: () => string;
  readonly lines: () => Line[];
  /** Exit code, or the signal that killed it. */
  readonly ended: Promise<number | string | null>;
}

const program = path.resolve(__dirname, '../../../src/simulator/cli.ts');
const startLimitMs = 60_000;

describe('Command cemm-simulator', function () {
  this.timeout(120_000);
  const children: ChildProcess[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  function run(...args: string[]): Running {
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', program, ...args]);
    children.push(child);
    let out = '';
    let error = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
    return {
      child,
      out: () => out,
      error: () => error,
      lines: () =>
        out
          .slice(0, out.lastIndexOf('\n') + 1)
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line),
      ended: new Promise((resolve) =>
        child.once('close', (code, signal) => {
          resolve(code ?? signal);
        }),
      ),
    };
  }

  async function ready(running: Running): Promise<Line> {
    await until('the first line', () => running.out().includes('\n') || running.child.exitCode !== null, startLimitMs);
    const [line] = running.lines();
    if (!line) throw new Error(running.error());
    return line;
  }

  it('prints its addresses, then a line per request, and ends with 0 on SIGTERM', async () => {
    const running = run(
      '--local-port',
      '0',
      '--remote-port=0',
      '--udp-port',
      '0',
      '--now',
      '2026-06-01T12:00',
      '--speed',
      '0',
    );
    const addresses = await ready(running);
    should(addresses['ready']).be.true();
    should(addresses['local']).match(/^http:\/\/127\.0\.0\.1:\d+$/);
    should(addresses['remote']).match(/^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
    should(addresses['udp']).be.above(0);
    should(addresses['mac']).match(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    should(addresses['uid']).equal(String(addresses['mac']).replaceAll(':', '-'));
    should(addresses['cemm']).be.a.Number();

    const answer = await fetch(`${String(addresses['local'])}/open-api/v1/p1/realtime/`);
    const { data } = (await answer.json()) as { data: { electric_power: [number, number] } };
    const noon = Date.parse('2026-06-01T10:00:00Z');
    should(data.electric_power[0]).be.within(noon - 60_000, noon);
    await until('the second line', () => running.lines().length > 1);
    should(running.lines()[1]).have.properties({ interface: 'local', path: '/open-api/v1/p1/realtime/', status: 200 });

    running.child.kill('SIGTERM');
    should(await running.ended).equal(0);
    should(running.error()).equal('');
  });

  it('ends with 0 on SIGINT and closes its ports', async () => {
    const running = run('--udp-port', '0', '--local-port', '0');
    const { udp, local } = await ready(running);
    running.child.kill('SIGINT');
    should(await running.ended).equal(0);
    await should(fetch(String(local))).be.rejected();
    const socket = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(Number(udp), '127.0.0.1', resolve));
    socket.close();
  });

  it('sends its count of deliveries and ends with 0 by itself when it serves nothing else', async () => {
    const receiver = await startReceiver();
    const key = 'canary4711';
    const running = run(
      ...[
        '--webhook',
        `${receiver.url}/cemm?key=${key}`,
        '--hmac-key',
        key,
        '--header',
        `X-Key: ${key}`,
        '--every',
        '60',
      ],
      ...['--count', '2', '--speed', '600', '--now', '2026-06-01T10:00:30Z'],
    );
    should(await running.ended).equal(0);
    await receiver.close();
    const [first, ...rest] = running.lines();
    should(first).have.properties({ ready: true, local: null, remote: null, udp: null });
    should(rest.map(({ status }) => status)).eql([200, 200]);
    // On the minute, one after the other; the speed of the machine determines the minutes.
    const [minute = NaN, next = NaN] = rest.map(({ delivery }) => Date.parse(String(delivery)) / 60_000);
    should(minute).be.aboveOrEqual(Date.parse('2026-06-01T10:01:00Z') / 60_000);
    should(next).be.above(minute);
    should([minute, next].every(Number.isInteger)).be.true();
    receiver.received.length.should.equal(2);
    receiver.received.forEach(({ headers }) => should(headers).have.properties(['x-signature', 'x-key']));
    `${running.out()}${running.error()}`.should.not.containEql(key);
  });

  it('continues after its count when it serves something', async () => {
    const receiver = await startReceiver();
    const running = run(
      '--webhook',
      receiver.url,
      '--count',
      '1',
      '--every',
      '1',
      '--speed',
      '10',
      '--local-port',
      '0',
    );
    const { local } = await ready(running);
    await until('the second line', () => running.lines().length > 1, startLimitMs);
    await receiver.close();
    should((await fetch(`${String(local)}/status`)).status).equal(200);
    should(running.child.exitCode).be.null();
  });

  it('ends when its output is closed', async () => {
    const running = run('--local-port', '0');
    const { local } = await ready(running);
    running.child.stdout?.destroy();
    await fetch(`${String(local)}/open-api/v1/`);
    should(await running.ended).equal(0);
  });

  it('prints its help, with every fault and every house', async () => {
    const running = run('--help');
    should(await running.ended).equal(0);
    for (const name of [...Object.keys(faults), ...Object.keys(houses)]) running.out().should.containEql(`  ${name} `);
  });

  it('says on stderr what to write instead, and ends with 2', async () => {
    const running = run('--local-prot', '0');
    should(await running.ended).equal(2);
    running.error().should.equal('cemm-simulator: There is no option --local-prot. See cemm-simulator --help.\n');
    running.out().should.equal('');
  });

  it('says when a port is taken, and ends with 1', async () => {
    const receiver = await startReceiver();
    const running = run('--local-port', new URL(receiver.url).port);
    should(await running.ended).equal(1);
    await receiver.close();
    running.error().should.match(/EADDRINUSE/);
  });
});
