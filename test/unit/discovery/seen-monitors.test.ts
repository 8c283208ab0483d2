/** The changes between two searches. */
import 'should';
import { SeenMonitors, type SeenMonitor } from '../../../src/discovery/seen-monitors';

function seen(id: string, host: string, verified = true): SeenMonitor {
  return { monitor: { id, host }, verified };
}

const told = (sightings: SeenMonitors, ...found: SeenMonitor[]): string[] =>
  sightings.update(found).map(({ change, monitor }) => `${monitor.id ?? ''} ${monitor.host ?? ''} ${change}`);

describe('seen monitors', () => {
  it('report new, seen, moved and gone once each', () => {
    const sightings = new SeenMonitors();
    told(sightings, seen('a', '10.0.0.1'), seen('b', '10.0.0.2')).should.eql(['a 10.0.0.1 new', 'b 10.0.0.2 new']);
    told(sightings, seen('a', '10.0.0.1'), seen('b', '10.0.0.9')).should.eql([
      'a 10.0.0.1 seen',
      'b 10.0.0.9 host_changed',
    ]);
    told(sightings, seen('b', '10.0.0.9')).should.eql(['b 10.0.0.9 seen', 'a 10.0.0.1 gone']);
    told(sightings).should.eql(['b 10.0.0.9 gone']);
    told(sightings).should.eql([]);
    told(sightings, seen('a', '10.0.0.1')).should.eql(['a 10.0.0.1 new']);
  });

  it('list those that were not found', () => {
    const sightings = new SeenMonitors();
    sightings.update([seen('a', '10.0.0.1'), seen('b', '10.0.0.2')]);
    sightings.listMissing([seen('b', '10.0.0.2')]).should.eql([seen('a', '10.0.0.1')]);
  });

  it('keep the verified one when two have the same MAC address', () => {
    const sightings = new SeenMonitors();
    sightings.update([seen('a', '10.0.0.1'), seen('a', '10.0.0.6', false)]);
    told(sightings, seen('a', '10.0.0.1')).should.eql(['a 10.0.0.1 seen']);
  });

  it('have no address for the monitors of a key', () => {
    const sightings = new SeenMonitors();
    const found = { monitor: { id: 'a' }, verified: false };
    told(sightings, found).should.eql(['a  new']);
    told(sightings, found).should.eql(['a  seen']);
  });
});
