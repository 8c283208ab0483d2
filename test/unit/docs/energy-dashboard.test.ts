/**
 * The sensors that docs/home-assistant.md names for the Energy dashboard and its Now view: each exists on its connection, and
 * is enabled by default.
 */
import should from 'should';
import { sensorNames } from '../../support/formats/names';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { namedPeriod } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { createFormatter } from '../../../src/formats/formatter';
import type { HaComponent, HaDiscovery } from '../../../src/formats/home-assistant/discovery';
import { connectTo } from '../../support/clients/in-process';
import type { MonitorConnection } from '../../../src/connection/connection';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';

const page = readFileSync(path.resolve(__dirname, '../../../docs/home-assistant.md'), 'utf8');
const timezone = 'Europe/Amsterdam';
const noon = millis(Date.parse('2026-06-16T12:00:00+02:00'));
const ask = () => ({ signal: new AbortController().signal });

/** Names in backquotes in a column of the table of a section, without node types. */
function namedIn(heading: string, column: number): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| In the'));
  return rows
    .flatMap((row) => [...(row.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    .filter((name) => !name.startsWith('cemm-'));
}

/** Name → configuration of every enabled sensor that realtime of all meters and of a battery, and meter readings of `s01` announce. */
async function sensorsOf(connection: MonitorConnection): Promise<Map<string, HaComponent>> {
  const all = { monitor: null, alias: null, role: 'auto' } as const;
  const inverter = { monitor: null, alias: 's01', role: 'production' } as const;
  const battery = { monitor: null, alias: 'mb6', role: 'battery' } as const;
  const today = namedPeriod('current', 'day', timezone, noon);
  const payloads = [
    ...(await connection.readRealtime(all, ask())),
    ...(await connection.readRealtime(battery, ask())),
    await connection.readTotals(inverter, today, ask()),
  ];
  const format = createFormatter('homeassistant', { names: sensorNames('en-US') });
  const sensors = new Map<string, HaComponent>();
  for (const { payload } of payloads.flatMap((read) => format({ payload: read }))) {
    const { components = {} } = payload as Partial<HaDiscovery>;
    for (const component of Object.values(components)) {
      if (component.enabled_by_default !== false) sensors.set(component.name, component);
    }
  }
  return sensors;
}

describe('the sensors named for the Energy dashboard', function () {
  this.timeout(60_000);

  for (const [transport, column] of [
    ['local', 2],
    ['remote', 3],
  ] as const) {
    it(`exist on a ${transport} connection, enabled and with a state class that the dashboard takes`, async () => {
      const clock = createSimulatedClock({ start: noon, speed: 0 });
      const since = millis(noon - 3 * 86_400_000);
      const simulator = await startSimulator({ localPort: 0, remotePort: 0, clock, since, house: 'battery-measured' });
      const client =
        transport === 'local'
          ? createLocalClient({ host: simulator.local ?? '', allowLoopback: true })
          : createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo' });
      const connection = connectTo({ client, timezone, clock: { ...systemClock, now: () => noon } });
      try {
        const sensors = await sensorsOf(connection);
        const names = namedIn('The Energy dashboard', column);
        names.length.should.be.above(3);
        for (const name of names) {
          should(sensors.get(name)).have.property('state_class');
          should(Reflect.get(sensors.get(name) ?? {}, 'state_class')).match(/^total(_increasing)?$/, name);
        }
        // Positive for import and negative for export, called Standard by Home Assistant.
        const [grid, sun, battery, ...others] = namedIn('The Now view', 2);
        others.should.be.empty();
        for (const name of [grid, sun, battery]) {
          should(sensors.get(name ?? '')).containEql({ device_class: 'power', state_class: 'measurement' });
        }
        should(sensors.get(grid ?? ''))
          .have.property('unique_id')
          .which.endWith('_p1_power_w');
      } finally {
        await connection.close();
        await simulator.close();
      }
    });
  }
});
