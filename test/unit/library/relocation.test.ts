/** A connection of the library to a local monitor that gets another address. */
import { createSocket } from 'node:dgram';
import { rejects } from 'node:assert/strict';
import should from 'should';
import { connect, type Cemm } from '../../../src/index';
import { startSimulator, type Simulator } from '../../../src/simulator/index';
import { until } from '../../support/until';

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => {
    socket.close(resolve);
  });
  return port;
}

describe('a connection of the library to a monitor that moves', function () {
  // Waits for conditions; the machine may be slow.
  this.timeout(60_000);

  let monitor: Simulator;
  let cemm: Cemm;

  afterEach(async () => {
    await cemm.close();
    await monitor.close();
  });

  it('reads it at its new address, after a search', async () => {
    const udpPort = await freeUdpPort();
    monitor = await startSimulator({ localPort: 0, address: '127.0.0.1' });
    const host = new URL(String(monitor.local)).host;
    const localPort = Number(new URL(String(monitor.local)).port);
    const search = { broadcast: '127.0.0.2', port: udpPort, waitMs: 300 };
    cemm = await connect({ host, allowLoopback: true, deadlineMs: 5_000, search });
    const [before] = await cemm.monitors();
    should(before?.host).equal(host);
    await monitor.close();
    monitor = await startSimulator({ localPort, udpPort, address: '127.0.0.2' });
    await rejects(cemm.realtime('p1'), { name: 'CemmError' });
    await until('a reading at the new address', () => cemm.realtime('p1').catch(() => null));
    const [after] = await cemm.monitors();
    should(after).have.properties({ id: before?.id, host: `127.0.0.2:${localPort}` });
  });
});
