/**
 * A folder that cannot be written, a file that cannot be read, as after a start of Node-RED by root, and a port below 1024: an ordinary
 * user meets them, and root never does.
 */
import should from 'should';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { periodContaining, previousPeriod } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { dayMs, millis } from '../../src/time/units';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { NodeRed, tab } from '../support/node-red/node-red';
import { asking, localConnection, trigger, watchers } from '../support/node-red/remote-flow';
import { until } from '../support/until';
import { credentials, key, webhookFlow } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';

const zone = 'Europe/Amsterdam';
const portOfRoot = 82;

describe('Node-RED of an ordinary user', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  beforeEach(async () => {
    nodeRed = await NodeRed.start({ asOrdinaryUser: true });
  });
  afterEach(() => nodeRed.stop());

  describe('and the days that are kept', () => {
    let simulator: Simulator;
    const day = previousPeriod(previousPeriod(periodContaining('day', zone, millis(Date.now()))));

    beforeEach(async () => {
      simulator = await startSimulator({ localPort: 0, timezone: zone, since: millis(day.start - 2 * dayMs) });
    });
    afterEach(() => simulator.close());

    async function deploy(): Promise<void> {
      const connection = localConnection(simulator);
      const question = { connection: connection.id, period: 'day', span: 'one', date: day.label, dateType: 'str' };
      await nodeRed.deploy([
        tab(),
        connection,
        asking('balance', 'balance', question),
        trigger('go', ['balance']),
        ...watchers(['balance']),
      ]);
    }

    async function read(): Promise<BalancePayload> {
      const before = (await nodeRed.messages('out')).length;
      await nodeRed.inject('go');
      return (await nodeRed.waitForMessages('out', before + 1))[before]?.payload as BalancePayload;
    }

    const warnings = (): number => nodeRed.log.split(`cannot be kept in ${join(nodeRed.userDir, 'cemm')}`).length - 1;

    it('reads them from the monitor where the folder is not writable, and says so once', async () => {
      // The folder of all houses gets its rights back at the start; that of a house keeps those that it has.
      const house = simulator.monitors[0]?.mac.replaceAll(':', '').toLowerCase() ?? '';
      await mkdir(join(nodeRed.userDir, 'cemm', house), { recursive: true });
      await chmod(join(nodeRed.userDir, 'cemm', house), 0o555);
      await deploy();
      for (const payload of [await read(), await read()]) {
        payload.complete.should.be.true();
        should(payload.values['energy_house_kwh']).be.a.Number();
      }
      await until('the warning', () => warnings() > 0);
      warnings().should.equal(1);
      nodeRed.log.should.match(/the folder is not writable/);
      (await nodeRed.messages('caught')).should.be.empty();
    });

    it('reads them from the monitor where a file is of another user, and says so once', async () => {
      await deploy();
      const { values } = await read();
      const folder = join(nodeRed.userDir, 'cemm');
      const files = await until('the file', async () => {
        // Written a moment after the answer.
        const names = await readdir(folder, { recursive: true }).catch(() => []);
        const months = names.filter((name) => name.endsWith('.series'));
        return months.length > 0 && months.map((name) => join(folder, name));
      });
      await nodeRed.stop({ keep: true });
      for (const file of files) await chmod(file, 0);
      nodeRed = await NodeRed.start({ asOrdinaryUser: true, userDir: nodeRed.userDir });
      should((await read()).values).deepEqual(values);
      await until('the warning', () => warnings() > 0);
      await read();
      warnings().should.equal(1);
      (await nodeRed.messages('caught')).should.be.empty();
      for (const file of files) existsSync(file).should.be.true();
    });
  });

  it('names a port below 1024 that it may not open, and what to do; where everybody may, it receives there', async () => {
    const own = { listen: 'own', port: String(portOfRoot), bind: '127.0.0.1', tls: '' };
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
    if (portOfRoot < lowestFreePort()) {
      await until('the sentence', () => nodeRed.log.includes(`not allowed to open port ${portOfRoot}`));
      nodeRed.log.should.match(/Choose a port from 1024 on/);
    } else {
      const sender = { url: `http://127.0.0.1:${portOfRoot}/cemm`, key };
      await until('a delivery', async () => (await post(sender, delivery()).catch(() => null))?.status === 200);
    }
    nodeRed.running.should.be.true();
  });
});

/** The first port that needs no right: containers and macOS have 0. */
function lowestFreePort(): number {
  const file = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}
