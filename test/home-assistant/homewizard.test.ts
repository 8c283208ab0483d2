/** The example homewizard-p1, read by Home Assistant's own integration *HomeWizard*, with the client that each version pins. */
import should from 'should';
import { testedChroots } from '../../scripts/home-assistant/chroots';
import { millis } from '../../src/time/units';
import type { UnknownRecord } from '../../src/checks/record';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { nodesOf } from '../support/docs/example-functions';
import { NodeRed, type FlowNode } from '../support/node-red/node-red';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';
import { addIntegration, enableAll, entitiesOf, statesOf } from '../support/real-home-assistant/registries';
import { fiveTimesAsFast } from '../support/time/fast-clock';
import { until } from '../support/until';

/** A meter with three phases: the simulated one has no phases. */
const phases = `Object.assign(msg.payload.values, { power_l1_w: 400, power_l2_w: -150, power_l3_w: 0, voltage_l1_v: 231.5 });
return msg;`;

/** End of the unique id, and the name in the answer. */
const expected = [
  ...['active_power_w', 'active_power_l1_w', 'active_power_l2_w', 'active_power_l3_w', 'active_voltage_l1_v'],
  ...['total_power_import_kwh', 'total_power_import_t1_kwh', 'total_power_import_t2_kwh'],
  ...['total_power_export_kwh', 'total_power_export_t1_kwh', 'total_power_export_t2_kwh', 'active_tariff'],
].map((name): [string, string] => [name, name]);
expected.push(['gas', 'total_gas_m3']);

for (const chroot of testedChroots) {
  describe(`the HomeWizard integration of Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);
    const time = fiveTimesAsFast();
    let monitor: Simulator;
    let nodeRed: NodeRed;
    let homeAssistant: RealHomeAssistant;

    before(async () => {
      monitor = await startSimulator({
        localPort: 0,
        clock: time.clock,
        since: millis(time.clock.now() - 7 * 86_400_000),
      });
      nodeRed = await NodeRed.start({ flows: flow(monitor), env: time.env });
      await until('an answer', async () => (await fetch(`${nodeRed.url}/api/v1/data`)).ok);
      homeAssistant = await RealHomeAssistant.start(chroot);
      await addIntegration(homeAssistant, 'homewizard', [{ ip_address: `127.0.0.1:${nodeRed.port}` }]);
      await enableAll(homeAssistant, 'homewizard');
    });
    after(async () => {
      await homeAssistant.stop();
      await nodeRed.stop();
      await monitor.close();
    });

    /** End of the unique id → state. */
    async function values(): Promise<ReadonlyMap<string, string>> {
      const states = await statesOf(homeAssistant);
      const entities = await entitiesOf(homeAssistant, 'homewizard');
      return new Map(
        [...entities].map(([id, { entity_id: entity }]) => {
          const state = states.get(String(entity))?.['state'];
          return [
            id.replace(/^.*?_/, '').replace(/^(?:gas_meter_)?[0-9a-f]{12}[-_]?/, ''),
            typeof state === 'string' ? state : '',
          ];
        }),
      );
    }

    it('sets up a P1 meter by its address, with the serial number of the monitor', async () => {
      const devices = await homeAssistant.command('config/device_registry/list');
      should(devices).matchAny({ manufacturer: 'HomeWizard', model_id: 'HWE-P1' });
      should(JSON.stringify(devices)).containEql('02e21e370000');
    });

    it('shows power, phases, voltage, readings by tariff, the tariff and gas as answered', async () => {
      // Home Assistant asks every five seconds, keeps fifteen digits, and each second has another reading.
      const answered = new Set<string>();
      const isShown = async (entity: string, name: string): Promise<boolean> => {
        const answer = (await (await fetch(`${nodeRed.url}/api/v1/data`)).json()) as UnknownRecord;
        for (const [key, value] of Object.entries(answer)) answered.add(`${key} ${Number(value).toFixed(6)}`);
        return answered.has(`${name} ${Number((await values()).get(entity) ?? NaN).toFixed(6)}`);
      };
      for (const [entity, name] of expected) await until(`${entity} as answered`, () => isShown(entity, name));
    });

    it('becomes unavailable when the readings are too old, never flat, and comes back', async () => {
      const power = async (): Promise<string | undefined> => (await values()).get('active_power_w');
      monitor.faults.add('p1-pulled');
      await until('unavailable', async () => (await power()) === 'unavailable');
      monitor.faults.delete('p1-pulled');
      await until('a value', async () => /^-?\d/.test((await power()) ?? ''));
    });

    it('logs no error, but for the old readings', () => {
      const isOfOldReadings = (entry: string): boolean => /homewizard.*(503|fetching|Error)/is.test(entry);
      homeAssistant
        .problems()
        .filter((entry) => !isOfOldReadings(entry))
        .should.deepEqual([]);
    });
  });
}

function flow({ local }: Simulator): FlowNode[] {
  const changes: Readonly<Record<string, UnknownRecord>> = {
    'cemm-demo-monitor': { mode: 'local', host: String(local), allowLoopback: true },
    'cemm-p1-grid': { wires: [['phases'], ['cemm-p1-outages']] },
  };
  const added = { id: 'phases', type: 'function', z: 'cemm-p1', func: phases, outputs: 1, wires: [['cemm-p1-keep']] };
  return [...nodesOf('homewizard-p1').map((node) => ({ ...node, ...changes[node.id] })), added];
}
