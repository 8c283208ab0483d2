/** The meters of a monitor: the alias of each I/O, whatever the list leaves out. */
import should from 'should';
import type { CemmError } from '../../../src/errors';
import type { MonitorConnection } from '../../../src/connection/connection';
import type { MonitorRequest } from '../../../src/clients/client';
import type { IoRecord } from '../../../src/protocol/responses';
import { failure, io, type Value } from '../../support/clients/fake-client';
import { makeReadOptions, startOpenApiConnection } from '../../support/clients/open-api-connection';

describe('connection: meters', () => {
  const remoteList = [io(1, 'p1'), io(2, 'gas'), io(3, 'solar_energy'), io(4, 'water')];

  /** s02 is the inverter, s03 the water meter; s01 is not used. */
  function remote(request: MonitorRequest): Value | CemmError | undefined {
    if (request.kind === 'meters') return remoteList;
    if (request.kind !== 'meter') return undefined;
    const behind = { 'p1-gas': 2, s02: 3, s03: 4 }[request.alias];
    return behind === undefined ? failure('ALIAS') : remoteList.filter(({ ioId }) => ioId === behind);
  }

  it('finds the alias of each remote I/O: the smart meter by type, the others by request', async () => {
    const { client, connection } = startOpenApiConnection(remote);
    const { meters } = await connection.listMeters(null, makeReadOptions());
    meters
      .map(({ alias, role, ioId }) => [alias, role, ioId])
      .should.deepEqual([
        ['p1', 'grid', 1],
        ['p1-gas', 'gas', 2],
        ['s02', 'production', 3],
        ['s03', 'water', 4],
      ]);
    client.calls
      .flatMap(({ request }) => (request.kind === 'meter' ? [request.alias] : []))
      .should.deepEqual(['p1-gas', 's01', 's02', 's03']);
  });

  const pulseGasFirst = [io(4, 'gas'), io(1, 'p1'), io(2, 'gas'), io(3, 'solar_energy')];

  /** The I/O behind each alias; 412 for the others. */
  const monitorWith =
    (list: readonly IoRecord[], behind: Readonly<Record<string, readonly number[]>>) =>
    (request: MonitorRequest): Value | CemmError | undefined => {
      if (request.kind === 'meters') return list;
      if (request.kind !== 'meter') return undefined;
      const ids = behind[request.alias];
      return ids === undefined ? failure('ALIAS') : list.filter(({ ioId }) => ioId !== null && ids.includes(ioId));
    };

  const aliasesOf = async (connection: MonitorConnection) =>
    (await connection.listMeters(null, makeReadOptions())).meters.map(({ ioId, alias }) => [ioId, alias]);

  it('RA38: distinguishes a pulse gas meter from the gas meter of the smart meter, in any order', async () => {
    const { connection } = startOpenApiConnection(monitorWith(pulseGasFirst, { 'p1-gas': [2], s01: [3], s02: [4] }));
    (await aliasesOf(connection)).should.deepEqual([
      [4, 's02'],
      [1, 'p1'],
      [2, 'p1-gas'],
      [3, 's01'],
    ]);
    const [reading] = await connection.readRealtime({ monitor: null, alias: 's02', role: 'auto' }, makeReadOptions());
    should(reading?.meter).containEql({ alias: 's02', role: 'gas', ioId: 4 });
  });

  it('reads a pulse gas meter when the smart meter has none', async () => {
    const { client, connection } = startOpenApiConnection(monitorWith([io(4, 'gas'), io(1, 'p1')], { s02: [4] }));
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions());
    readings
      .map(({ meter }) => [meter.ioId, meter.alias])
      .should.deepEqual([
        [4, 's02'],
        [1, 'p1'],
      ]);
    client.count('realtime', 'p1-gas').should.equal(0);
  });

  it('RA39: assigns no I/O that a response does not name', async () => {
    const list = [io(2, 'gas'), io(4, 'gas'), io(3, 'solar_energy')];
    // The first two leave it open; the third is not in the list.
    const { connection } = startOpenApiConnection((request) =>
      request.kind === 'meter' && request.alias === 's02'
        ? [io(9, 'gas')]
        : monitorWith(list, { 'p1-gas': [2, 4], s01: [2, 3, 4] })(request),
    );
    (await aliasesOf(connection)).should.deepEqual([
      [2, undefined],
      [4, undefined],
      [3, undefined],
    ]);
    const [reading] = await connection.readRealtime(
      { monitor: null, alias: 'p1-gas', role: 'auto' },
      makeReadOptions(),
    );
    should(reading?.meter).deepEqual({ alias: 'p1-gas', role: 'gas' });
  });

  it('selects the only record of the right type when an alias has several', async () => {
    const list = [io(2, 'gas'), io(1, 'p1'), io(7, 'p1')];
    const { connection } = startOpenApiConnection(monitorWith(list, { p1: [1, 2], 'p1-gas': [1, 2] }));
    (await aliasesOf(connection)).should.deepEqual([
      [2, 'p1-gas'],
      [1, 'p1'],
      [7, undefined],
    ]);
  });

  it('continues when an alias is refused with 403, and keeps the other responses', async () => {
    const answers = monitorWith(pulseGasFirst, { 'p1-gas': [2], s01: [3], s02: [4] });
    let allowed = false;
    const { client, clock, connection } = startOpenApiConnection((request) =>
      request.kind === 'meter' && request.alias === 's02' && !allowed ? failure('AUTH') : answers(request),
    );
    (await aliasesOf(connection)).should.containDeep([
      [4, undefined],
      [2, 'p1-gas'],
    ]);
    allowed = true;
    await clock.advance(60_000);
    (await aliasesOf(connection)).should.containDeep([[4, 's02']]);
    client.count('meter', 'p1-gas').should.equal(1);
    client.count('meter', 's02').should.equal(2);
  });

  it('reports the failure when no alias can be requested', async () => {
    const { connection } = startOpenApiConnection((request) => {
      if (request.kind === 'meters') return [io(2, 'gas')];
      return request.kind === 'meter' ? failure('UPSTREAM') : undefined;
    });
    await connection
      .readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions())
      .should.be.rejectedWith({ code: 'UPSTREAM' });
  });

  it('reads a meter when only the list is refused', async () => {
    const { connection } = startOpenApiConnection((request) =>
      request.kind === 'meters' ? failure('AUTH') : undefined,
    );
    const [reading] = await connection.readRealtime({ monitor: null, alias: 'p1', role: 'auto' }, makeReadOptions());
    should(reading?.meter).deepEqual({ alias: 'p1', role: 'grid' });
  });

  it('requests aliases once while the list does not change', async () => {
    const { client, clock, connection } = startOpenApiConnection(remote);
    await connection.listMeters(null, makeReadOptions());
    await clock.advance(60 * 60_000);
    await connection.listMeters(null, makeReadOptions());
    client.count('meters').should.equal(2);
    client.count('meter').should.equal(4);
  });

  it('lists an I/O without an alias when no alias selects it', async () => {
    const { connection } = startOpenApiConnection((request) => {
      if (request.kind === 'meters') return [io(1, 'p1'), io(9, 'relay')];
      return request.kind === 'meter' ? failure('ALIAS') : undefined;
    });
    const { meters } = await connection.listMeters(null, makeReadOptions());
    meters
      .map(({ alias, type }) => [alias, type])
      .should.deepEqual([
        ['p1', 'p1'],
        [undefined, 'relay'],
      ]);
    should(meters[1]).not.have.property('alias');
  });

  it('leaves out an alias that cannot be requested, and requests it the next time', async () => {
    let down = true;
    const { connection } = startOpenApiConnection((request) =>
      request.kind === 'meter' && down ? failure('MONITOR_OFFLINE') : remote(request),
    );
    (await connection.listMeters(null, makeReadOptions())).meters
      .filter(({ alias }) => alias === undefined)
      .length.should.equal(3);
    down = false;
    (await connection.listMeters(null, makeReadOptions())).meters
      .filter(({ alias }) => alias === undefined)
      .length.should.equal(0);
  });

  it('continues a local alias search only when a user requests the meters', async () => {
    const { client, clock, connection } = startOpenApiConnection((request) => {
      if (request.kind !== 'meters') return undefined;
      return request.continueSearch === true ? [io(1, 'p1', 'p1'), io(2, 'solar', 'mb30')] : [io(1, 'p1', 'p1')];
    }, 'local');
    const searches = () =>
      client.calls.filter(({ request }) => request.kind === 'meters' && request.continueSearch === true);
    await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions());
    await connection.listMeters(null, { ...makeReadOptions(), patience: 'poll' });
    searches().length.should.equal(0);
    (await connection.listMeters(null, makeReadOptions())).meters
      .map(({ alias }) => alias)
      .should.deepEqual(['p1', 'mb30']);
    await connection.listMeters(null, makeReadOptions());
    searches().length.should.equal(1);
    // All callers get the found meters.
    await clock.advance(60_000);
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions());
    readings.map(({ meter }) => meter.alias).should.deepEqual(['p1', 'mb30']);
    client.count('meters').should.equal(2);
  });

  it('uses the aliases of a local list', async () => {
    const list = [io(1, 'p1', 'p1-usb'), io(2, 'gas', 'emucs-gas'), io(3, 'solar_energy', 'mb5')];
    const { client, connection } = startOpenApiConnection(
      (request) => (request.kind === 'meters' ? list : undefined),
      'local',
    );
    (await connection.listMeters(null, makeReadOptions())).meters
      .map(({ alias, role }) => [alias, role])
      .should.deepEqual([
        ['p1-usb', 'grid'],
        ['emucs-gas', 'gas'],
        ['mb5', 'production'],
      ]);
    client.count('meter').should.equal(0);
  });
});
