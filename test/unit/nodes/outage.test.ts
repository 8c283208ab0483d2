import 'should';
import type { NodeStatus } from 'node-red';
import { createOutageReporter } from '../../../nodes/lib/run/polling';
import type { Runner } from '../../../nodes/lib/run/runner';
import { CemmError } from '../../../src/errors';

describe('the outage of a polling node', () => {
  function watched(): { outage: ReturnType<typeof createOutageReporter>; reports: string[]; statuses: NodeStatus[] } {
    const reports: string[] = [];
    const statuses: NodeStatus[] = [];
    const runner: Pick<Runner, 'translate' | 'report' | 'status'> = {
      translate: () => null,
      report: (error) => reports.push(error.code),
      status: (status) => statuses.push(status),
    };
    return { outage: createOutageReporter(runner), reports, statuses };
  }
  const network = new CemmError('NETWORK', { reason: 'refused' });

  it('is reported once, and shown in the status as long as it lasts', () => {
    const { outage, reports, statuses } = watched();
    for (let round = 0; round < 5; round += 1) outage.failed(network);
    reports.should.eql(['NETWORK']);
    statuses.map(({ text }) => text).should.eql(Array<string>(4).fill('NETWORK'));
  });

  it('is reported again after a recovery, and when the cause changes', () => {
    const { outage, reports } = watched();
    outage.failed(network);
    outage.over();
    outage.failed(network);
    outage.failed(new CemmError('NETWORK', { reason: 'reset' }));
    outage.failed(new CemmError('AUTH'));
    reports.should.eql(['NETWORK', 'NETWORK', 'NETWORK', 'AUTH']);
  });

  it('does not count what the user or a redeploy ended', () => {
    const { outage, reports, statuses } = watched();
    outage.failed(new CemmError('CANCELLED'));
    reports.should.eql([]);
    statuses.should.eql([]);
  });
});
