/** Assignment of monitors to shards. */
import should from 'should';
import { createHash } from 'node:crypto';
import { CemmError } from '../../../src/errors';
import { shard as editorCheck } from '../../../nodes/lib/editor/checks';
import { otherShard, parseShard, findShard } from '../../../src/connection/shard';
import { monitorId } from '../../support/clients/fake-client';

function macs(count: number) {
  return Array.from({ length: count }, (_, index) =>
    monitorId((0x001ec0850000 + index).toString(16).padStart(12, '0')),
  );
}

describe('connection: the shard of a monitor', () => {
  it('follows from the MAC address', () => {
    for (const id of macs(100)) {
      const digest = createHash('sha256').update(id).digest('hex');
      findShard(id, 4).should.equal((Number.parseInt(digest.slice(0, 8), 16) % 4) + 1);
    }
  });

  it('does not change between releases, so that every monitor keeps its shard', () => {
    // printf 001a2b3c4d5e | sha256sum | cut -c1-8
    [1, 2, 3, 4, 7, 1000]
      .map((parts) => findShard(monitorId('001a2b3c4d5e'), parts))
      .should.deepEqual([1, 2, 2, 2, 7, 634]);
  });

  it('is one of N for every monitor, and about as many for each', () => {
    for (const parts of [2, 4, 10]) {
      const shards = Array.from({ length: parts }, (_, index) => ({ part: index + 1, parts }));
      const held = shards.map(() => 0);
      for (const id of macs(1000)) {
        const own = shards.filter((shard) => otherShard(shard, id) === null);
        own.should.have.length(1);
        const [first] = own;
        if (first !== undefined) held[first.part - 1] = (held[first.part - 1] ?? 0) + 1;
      }
      for (const count of held) count.should.be.within((1000 / parts) * 0.75, (1000 / parts) * 1.25);
    }
  });

  it('is written from 1/N to N/N; blank means no shards', () => {
    should(parseShard('')).be.null();
    should(parseShard('  ')).be.null();
    should(parseShard('1/4')).deepEqual({ part: 1, parts: 4 });
    should(parseShard(' 4 / 4 ')).deepEqual({ part: 4, parts: 4 });
    should(parseShard('1/1')).deepEqual({ part: 1, parts: 1 });
    for (const id of macs(20)) should(otherShard(parseShard(''), id)).be.null();
  });

  const wrong = [
    ['0/4', 'shard_range'],
    ['5/4', 'shard_range'],
    ['0/0', 'shard_range'],
    ['1/1001', 'shard_range'],
    ['1', 'shard'],
    ['1/', 'shard'],
    ['/4', 'shard'],
    ['1/4/2', 'shard'],
    ['-1/4', 'shard'],
    ['1.5/4', 'shard'],
    ['one/four', 'shard'],
    ['1:4', 'shard'],
    ['0x1/4', 'shard'],
    ['9999999/9999999', 'shard'],
  ] as const;
  for (const [text, reason] of wrong) {
    it(`refuses ${text}, in the dialog too`, () => {
      should(() => parseShard(text)).throw(CemmError, { code: 'CONFIG', reason });
      should(editorCheck(text)).not.equal(true);
    });
  }

  it('is accepted by the dialog when it is valid', () => {
    for (const text of ['1/4', ' 4 / 4 ', '1/1', '1000/1000']) should(editorCheck(text)).equal(true);
  });
});
