/** The hosts that answered a search: verification, limits and eviction. */
import should from 'should';
import { Candidates } from '../../../src/discovery/candidates';
import type { MonitorRecord } from '../../../src/protocol/responses';
import type { DiscoveryReply } from '../../../src/protocol/datagram';
import { toMonitorId, type MonitorId } from '../../../src/protocol/mac';

function idOf(number: number): MonitorId {
  const id = toMonitorId(number.toString(16).padStart(12, '0'));
  if (id === null) throw new Error('no MAC');
  return id;
}

function reply(ip: string, number: number): () => DiscoveryReply {
  return () => ({ id: idOf(number), ip, core: null, type: null });
}

function root(number: number): MonitorRecord {
  return { id: idOf(number), name: null, type: null, version: null, core: null };
}

const address = (index: number): string => `10.0.${index >> 8}.${index & 255}`;

describe('the hosts that responded to a search', () => {
  it('get one request for the root, for any number of claimed MAC addresses', async () => {
    const asked: string[] = [];
    const candidates = new Candidates((host) => {
      asked.push(host);
      return Promise.resolve(null);
    });
    for (let number = 1; number <= 5; number += 1) candidates.add('10.0.0.1', reply('10.0.0.1', number));
    (await candidates.settled()).map(({ id }) => id).should.eql([idOf(1), idOf(2)]);
    asked.should.eql(['10.0.0.1']);
  });

  it('are listed with the MAC address that their root confirms, whatever was claimed before', async () => {
    const candidates = new Candidates(() => Promise.resolve(root(9)));
    for (const number of [1, 2, 3, 9]) candidates.add('10.0.0.1', reply('10.0.0.1', number));
    const found = await candidates.settled();
    found
      .filter(({ verified }) => verified)
      .map(({ id }) => id)
      .should.eql([idOf(9)]);
    found.should.have.length(2);
  });

  it('UD17: are replaced if unverified, and never by a forged one if verified', async () => {
    const candidates = new Candidates((host) => Promise.resolve(host === address(600) ? root(600) : null));
    for (let index = 0; index < 512; index += 1) candidates.add(address(index), reply(address(index), index + 1));
    candidates.size.should.equal(512);
    // No root has failed yet, and a sender whose root is being requested keeps its place.
    candidates.add(address(600), reply(address(600), 600)).should.be.false();
    await candidates.settled();
    candidates.add(address(600), reply(address(600), 600)).should.be.true();
    await candidates.settled();
    for (let index = 1000; index < 3000; index += 1) {
      candidates.add(address(index), reply(address(index), index));
      if (index % 100 === 0) await candidates.settled();
    }
    const found = await candidates.settled();
    candidates.size.should.equal(512);
    found.should.have.length(64);
    found
      .filter(({ verified }) => verified)
      .map(({ host }) => host)
      .should.eql([address(600)]);
  });

  it('are verified 64 at a time', async () => {
    let asking = 0;
    let most = 0;
    const candidates = new Candidates(async () => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((resolve) => setImmediate(resolve));
      asking -= 1;
      return null;
    });
    for (let index = 0; index < 300; index += 1) candidates.add(address(index), reply(address(index), index + 1));
    await candidates.settled();
    should([most, candidates.asked, asking]).eql([64, 300, 0]);
  });

  it('UD17: are asked for their root by their first datagram, whatever it contains, and only once', async () => {
    const asked: string[] = [];
    const candidates = new Candidates((host) => {
      asked.push(host);
      return Promise.resolve(host === '10.0.0.1' ? { ...root(9), name: 'Meter cupboard' } : null);
    });
    // 16 datagrams with the address of the monitor, before its own one.
    for (let index = 0; index < 16; index += 1) candidates.add('10.0.0.1', () => null).should.be.false();
    candidates.add('10.0.0.1', reply('10.0.0.1', 9));
    candidates.add('10.0.0.2', () => null);
    const found = await candidates.settled();
    found.should.eql([
      { id: idOf(9), host: '10.0.0.1', verified: true, name: 'Meter cupboard', type: null, version: null, core: null },
    ]);
    asked.should.eql(['10.0.0.1', '10.0.0.2']);
  });

  it('are listed with the MAC address of their root, whatever they claim', async () => {
    const candidates = new Candidates(() => Promise.resolve(root(9)));
    for (let number = 1; number <= 16; number += 1) candidates.add('10.0.0.1', reply('10.0.0.1', 100 + number));
    const found = await candidates.settled();
    found
      .map(({ id, verified }) => [id, verified])
      .should.eql([
        [idOf(9), true],
        [idOf(101), false],
      ]);
  });

  it('make room as long as they said nothing and wait, and those that answered like a monitor are asked first', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const candidates = new Candidates((host) => {
      asked.push(host);
      return new Promise((resolve) => {
        answers.push(() => {
          resolve(host === address(2000) ? root(7) : null);
        });
      });
    });
    for (let index = 0; index < 512; index += 1) candidates.add(address(index), () => null);
    asked.should.have.length(64);
    candidates.add(address(2000), reply(address(2000), 7)).should.be.true();
    candidates.size.should.equal(512);
    answers[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    should(asked.at(-1)).equal(address(2000));
    const settled = candidates.settled();
    for (let index = 1; index < answers.length; index += 1) {
      answers[index]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    (await settled).map(({ host, verified }) => [host, verified]).should.eql([[address(2000), true]]);
    // The removed sender is not asked.
    asked.should.have.length(512);
  });

  it('are limited to 16 parsed datagrams each', () => {
    const candidates = new Candidates(() => Promise.resolve(null));
    let parsed = 0;
    for (let index = 0; index < 50; index += 1) {
      candidates.add('10.0.0.1', () => {
        parsed += 1;
        return null;
      });
    }
    parsed.should.equal(16);
  });
});
