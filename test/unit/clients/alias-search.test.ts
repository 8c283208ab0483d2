/** The search for the aliases of a monitor that does not list its I/Os. */
import should from 'should';
import { AliasSearch } from '../../../src/clients/alias-search';

/** A monitor with these meters; counts the requests. */
function monitorWith(...aliases: string[]) {
  const there = new Set(aliases);
  const search = new AliasSearch();
  const asked: string[] = [];
  const exists = (alias: string) => {
    asked.push(alias);
    return Promise.resolve(there.has(alias));
  };
  return {
    there,
    asked,
    search,
    turn: async (continueSearch = false, hasTime = () => true) => {
      asked.length = 0;
      return search.run({ exists, continueSearch, hasTime });
    },
  };
}

const addresses = (asked: readonly string[]) =>
  asked.flatMap((alias) => (alias.startsWith('mb') ? [Number(alias.slice(2))] : []));

describe('the search for aliases', () => {
  it('asks for every fixed alias and stops after a run of absent Modbus addresses', async () => {
    const monitor = monitorWith('p1', 'pulse-2', 'mb20', 'usage');
    (await monitor.turn()).should.deepEqual(['p1', 'pulse-2', 'usage', 'mb20']);
    addresses(monitor.asked).should.deepEqual(Array.from({ length: 44 }, (_, index) => index + 1));
    monitor.asked.length.should.equal(15 + 44);
  });

  it('keeps found aliases, and requests absent addresses once', async () => {
    const monitor = monitorWith('p1', 'mb20');
    await monitor.turn();
    (await monitor.turn()).should.deepEqual(['p1', 'mb20']);
    addresses(monitor.asked).should.deepEqual([20]);
    monitor.there.delete('mb20');
    monitor.there.add('s01');
    (await monitor.turn()).should.deepEqual(['p1', 's01']);
  });

  it('LA20: stops after a run of absent Modbus addresses, and continues when a later alias is requested', async () => {
    const monitor = monitorWith('p1', 'mb247');
    (await monitor.turn()).should.deepEqual(['p1']);
    addresses(monitor.asked).at(-1)?.should.equal(24);
    let found: readonly string[] = [];
    let turns = 0;
    for (; turns < 20 && found.length < 2; turns += 1) {
      found = await monitor.turn(true);
      addresses(monitor.asked).length.should.be.within(1, 32);
    }
    found.should.deepEqual(['p1', 'mb247']);
    turns.should.equal(7);
    // From the start, because a meter may have been added.
    monitor.there.add('mb2');
    (await monitor.turn(true)).should.deepEqual(['p1', 'mb2', 'mb247']);
  });

  it('adds a meter that was read by its alias', async () => {
    const monitor = monitorWith('p1', 'mb100');
    await monitor.turn();
    for (const alias of ['mb100', 'mb300', 'mb0', 'made-up']) monitor.search.remember(alias);
    (await monitor.turn()).should.deepEqual(['p1', 'mb100']);
  });

  it('returns the known aliases when time is short, and continues the next time', async () => {
    const monitor = monitorWith('p1', 's01', 'mb3');
    let left = 4;
    (await monitor.turn(false, () => left-- > 0)).should.deepEqual(['p1']);
    monitor.asked.should.deepEqual(['p1', 'p1-usb', 'emucs', 'emucs-usb', 'han']);
    (await monitor.turn()).should.deepEqual(['p1', 's01', 'mb3']);
    monitor.asked.slice(0, 2).should.deepEqual(['p1', 'dlms-usb']);
  });

  it('repeats the failed request after a failure', async () => {
    const search = new AliasSearch();
    const asked: string[] = [];
    const run = (fails: string | null) =>
      search.run({
        continueSearch: false,
        hasTime: () => true,
        exists: (alias) => {
          asked.push(alias);
          return alias === fails ? Promise.reject(new Error('no')) : Promise.resolve(alias === 'mb2');
        },
      });
    await run('mb3').should.be.rejected();
    asked.length = 0;
    should(await run(null)).deepEqual(['mb2']);
    asked.slice(0, 1).should.deepEqual(['mb2']);
    addresses(asked).slice(1, 3).should.deepEqual([3, 4]);
  });
});
