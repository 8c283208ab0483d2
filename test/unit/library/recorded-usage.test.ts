/**
 * A connection without a table of meters sends what it sent before there was one, byte for byte, also of `usage` and of a meter
 * with the role consumption. The recording is of the last commit before the table; version 0.2.0 was not released then.
 */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../src/index';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { until } from '../../support/until';

const file = join(__dirname, '../../recorded/usage-before-meters.json');
const start = millis(Date.parse('2026-07-15T10:20:30Z'));

/** Without the time of a request, its duration, and the port. */
function comparable(payload: unknown): string {
  return JSON.stringify(payload)
    .replace(/"(fetchedAt|latencyMs)":\d+/g, '"$1":0')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

/** Of a monitor and a connection of their own, so that a repeat counts the same requests. */
async function readPayloads(): Promise<Readonly<Record<string, unknown>>> {
  const simulator = await startSimulator({ localPort: 0, clock: createSimulatedClock({ start, speed: 0 }), seed: 7 });
  const house = await connect({ host: simulator.local ?? '', allowLoopback: true });
  try {
    return {
      'usage realtime': await house.realtime('usage'),
      'usage consumption': await house.realtime('usage', { role: 'consumption' }),
      'garage consumption': await house.realtime('mb5', { role: 'consumption' }),
      balance: await house.balance({ day: '2026-07-14' }),
      'usage month': await house.series('usage', { month: '2026-07' }),
    };
  } finally {
    await house.close();
    await simulator.close();
  }
}

describe('payloads without a table of meters', function () {
  this.timeout(90_000);

  it('are those of before, of `usage`, of a meter with the role consumption, and of the house', async () => {
    const sent = await until('the payloads', readPayloads);
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    Object.keys(sent).should.deepEqual(Object.keys(recorded));
    for (const [name, payload] of Object.entries(sent))
      should(comparable(payload)).equal(JSON.stringify(recorded[name]), name);
  });
});
