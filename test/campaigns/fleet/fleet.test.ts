/**
 * A fleet as in docs/fleets.md, from the packed package with the example flows. Every monitor sends once a minute, a receiver
 * and a worker are killed, the broker is restarted, and at the end the store has every minute once. CEMM_FLEET=short runs the
 * small fleet alone; CEMM_FLEET_MONITORS, _MINUTES and _SPEED change the large one.
 */
import should from 'should';
import { runFleet, type FleetPlan, type FleetResult } from './fleet-run';
import { reportOf } from './report';

function setting(name: string, usual: number): number {
  return Number(process.env[`CEMM_FLEET_${name}`] ?? usual);
}

const small: FleetPlan = { monitors: 100, minutes: 24, speed: 12 };
const large: FleetPlan = {
  monitors: setting('MONITORS', 1000),
  minutes: setting('MINUTES', 15),
  speed: setting('SPEED', 3),
};
const plans = process.env['CEMM_FLEET'] === 'short' ? [small] : [small, large];

describe('a fleet', function () {
  this.timeout(1_800_000);
  const results: FleetResult[] = [];

  after(() => {
    if (results.length > 0) console.log(`\n${reportOf(results)}\n`);
  });

  for (const plan of plans) {
    describe(`of ${plan.monitors} monitors, with a receiver and a worker killed and the broker restarted`, () => {
      let result: FleetResult;

      before(async () => {
        result = await runFleet(plan);
        results.push(result);
      });

      it('refuses access without a login, and to a role what belongs to another', () => {
        result.openDoors.should.be.empty();
      });

      it('stores every minute of every monitor exactly once, as simulated', () => {
        const { delivered, repaired } = result;
        repaired.expected.should.equal(plan.monitors * plan.minutes);
        delivered.wrong.should.be.empty();
        repaired.wrong.should.be.empty();
        repaired.surplus.should.be.empty();
        repaired.missing.should.be.empty();
        repaired.right.should.equal(repaired.expected);
      });

      it('keeps every delivery answered 200, except those in progress in a killed process', () => {
        const acknowledged = result.sent.filter(({ status }) => status === 200).length;
        acknowledged.should.be.above(result.sent.length / 2);
        // The batch of a writer, and unsent deliveries of a receiver: a second or two, more on a busy machine.
        const inHands = Math.ceil((result.sent.length / result.seconds) * 20);
        result.delivered.right.should.be.aboveOrEqual(acknowledged - inHands);
      });

      it('shows the latest value of every meter, for any order of the messages', () => {
        const { values } = result.latest;
        for (const { id, household } of result.monitors) {
          const slots = result.sent.filter(({ monitor, status }) => monitor.id === id && status === 200);
          const newest = Math.max(...slots.map(({ slot }) => slot));
          const shown = values.get(`cemm/${id}/webhook`);
          should(shown?.ts).be.aboveOrEqual(newest, id);
          const sent = result.sent.find(({ monitor, slot }) => monitor.id === id && slot === shown?.ts);
          should(shown?.importW).equal(Math.max(household.step(sent?.slot ?? result.lastSlot).gridW, 0), id);
        }
      });

      it('polls current values too, and reports no false error', () => {
        should(result.latest.counts.get('realtime')).be.above(0);
        result.complaints.should.be.empty();
      });
    });
  }
});
