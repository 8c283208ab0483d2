/** The report that the dialog of a connection shows. */
import should from 'should';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { makeConnectionReport } from '../../../nodes/cemm-connection/make-report';
import { readReport } from '../../../src/report/read-report';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { weeksAgo } from '../../support/time/recent';

const signal = new AbortController().signal;
const expand = (text: string): string => text;
const key = 'key-of-the-report-test';

describe('the report of a dialog', function () {
  this.timeout(60_000);

  it('uses the key of a remote connection, and contains neither it nor a name of the meters of the house', async () => {
    const simulator = await startSimulator({ remotePort: 0, apiKey: key, since: weeksAgo(5) });
    try {
      const meters = [{ meter: 's01', name: 'Heat pump of Jansen', role: 'consumption' }];
      const config = { ...connectionDefaults, mode: 'remote' as const, baseUrl: simulator.remote ?? '', meters };
      const { file, read, failed } = await makeConnectionReport(
        { config, expand, apiKey: key, node: null },
        false,
        signal,
      );
      should(file).not.containEql(key);
      should(file).not.match(/heat pump|jansen/i);
      const report = readReport(file ?? '');
      should([report.mode, report.withDays, report.made.length]).eql(['remote', false, read + failed]);
      read.should.be.above(5);
    } finally {
      await simulator.close();
    }
  });

  it('uses the value of a variable as the key, and does not contain it', async () => {
    const simulator = await startSimulator({ remotePort: 0, apiKey: key, since: weeksAgo(5) });
    try {
      const config = { ...connectionDefaults, mode: 'remote' as const, baseUrl: simulator.remote ?? '' };
      const form = {
        config,
        expand: (text: string) => text.replace('${CEMM_API_KEY}', key),
        apiKey: '${CEMM_API_KEY}',
        node: null,
      };
      const { file, read } = await makeConnectionReport(form, false, signal);
      should(file).not.containEql(key);
      read.should.be.above(5);
    } finally {
      await simulator.close();
    }
  });

  it('refuses a wrong MAC address', async () => {
    const config = { ...connectionDefaults, host: '192.168.1.20', mac: 'x' };
    await should(
      makeConnectionReport({ config, expand, apiKey: undefined, node: null }, false, signal),
    ).be.rejectedWith({
      reason: 'mac',
    });
  });
});
