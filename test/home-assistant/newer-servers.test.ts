/**
 * The tests of databases and Prometheus once more, with the newer Prometheus, VictoriaMetrics and PostgreSQL with TimescaleDB of
 * test/support/home-assistant/newer-servers.ts, which they find in PATH when they start. Loading this file needs none of them.
 */
import should from 'should';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import '../campaigns/servers/databases.test';
import '../campaigns/servers/prometheus.test';
import '../campaigns/servers/victoria-metrics.test';
import { useNewerServers } from '../support/home-assistant/newer-servers';

before(useNewerServers);

describe('the newer servers', () => {
  for (const [program, version] of [
    ['prometheus', /version 3\./],
    ['promtool', /version 3\./],
    ['initdb', /PostgreSQL\) 17\./],
  ] as const) {
    it(`are those that the tests start: ${program}`, () => {
      should(execFileSync(program, ['--version'], { encoding: 'utf8', cwd: tmpdir() })).match(version);
    });
  }
});
