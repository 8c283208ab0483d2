/**
 * The devices of one network: a monitor at .2 and, if requested, a device at .3 that answers with the monitor's MAC, one at .4
 * that claims the monitor's address, one at .5 that sends 60 kB and garbage, and one at .6 that floods; `stranger` is an
 * address of another network from which a monitor is claimed. Prints the monitor's MAC when all are ready.
 */
import type dgram from 'node:dgram';
import { startSimulator } from '../../../../src/simulator/start-simulator';
import { discoveryPort, discoveryQuery } from '../../../../src/protocol/datagram';
import { bindSocket } from '../loopback';

interface Orders {
  readonly net: string;
  /** Port of the Local API. */
  readonly port: number;
  readonly seed: number;
  readonly broadcast: string;
  readonly liars?: boolean;
  readonly stranger?: string;
}

const floodCount = 40_000;

type Asker = Pick<dgram.RemoteInfo, 'port' | 'address'>;

async function startDevices({ net, port, seed, broadcast, liars = false, stranger }: Orders): Promise<void> {
  const simulator = await startSimulator({ address: `${net}.2`, localPort: port, seed });
  const mac = simulator.monitors[0]?.mac ?? '';
  const claim = (ip: string, claimed = mac): Buffer =>
    Buffer.from(JSON.stringify({ ip, mac: claimed, version: '1.25', type: 'CEMM_basic', init_state: 1 }));
  const answers: { from: dgram.Socket; datagrams: readonly Buffer[] }[] = [];
  const device = async (from: string, ...datagrams: Buffer[]): Promise<void> => {
    answers.push({ from: await bindSocket(0, from), datagrams });
  };

  await device(`${net}.2`, claim(`${net}.2`));
  if (liars) {
    await device(`${net}.3`, claim(`${net}.3`));
    await device(`${net}.4`, claim(`${net}.2`, '00:00:5E:00:53:01'));
    await device(`${net}.5`, Buffer.alloc(60_000, 0x20), Buffer.from('{"mac":'), Buffer.alloc(0));
  }
  if (stranger !== undefined) await device(stranger, claim(stranger, '00:00:5E:00:53:02'));
  const flood = liars ? await bindSocket(0, `${net}.6`) : null;
  let hasFlooded = false;

  const ear = await bindSocket(discoveryPort, broadcast);
  ear.on('message', (message, asker) => {
    if (!message.equals(discoveryQuery)) return;
    if (flood !== null && !hasFlooded) {
      hasFlooded = true;
      void pour(flood, asker);
    }
    for (const { from, datagrams } of answers) {
      for (const datagram of datagrams) from.send(datagram, asker.port, asker.address);
    }
  });
  process.stdout.write(`${JSON.stringify({ mac })}\n`);
}

async function pour(socket: dgram.Socket, asker: Asker): Promise<void> {
  const garbage = Buffer.from('{"mac":"nonsense"}');
  for (let sent = 0; sent < floodCount; sent += 500) {
    await Promise.all(
      Array.from(
        { length: 500 },
        () =>
          new Promise((resolve) => {
            socket.send(garbage, asker.port, asker.address, resolve);
          }),
      ),
    );
  }
}

void startDevices(JSON.parse(process.argv[2] ?? '{}') as Orders);
