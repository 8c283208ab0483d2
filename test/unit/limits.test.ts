/** The rules shared by dialog and runtime, at their borders. Addresses, dates and MAC addresses have their own tests. */
import should from 'should';
import { readDate } from '../../src/time/date-text';
import {
  isChannelName,
  isEntryCount,
  isKey,
  isWord,
  leaksKey,
  mostEntries,
  readBaseUrl,
  readHost,
  readNumber,
  splitShard,
} from '../../src/checks/limits';

describe('limits', () => {
  it('read a number from a number or from digits with a point', () => {
    for (const [stored, number] of [
      [7, 7],
      [-0.5, -0.5],
      ['7', 7],
      [' 12.345 ', 12.345],
      ['-3', -3],
      [NaN, null],
      [Infinity, null],
      ['', null],
      ['7,5', null],
      ['.5', null],
      ['5.', null],
      ['1e3', null],
      ['x7', null],
      ['7x', null],
      [null, null],
      [['7'], null],
    ] as const) {
      should(readNumber(stored)).equal(number);
    }
  });

  it('accept as a key 1 to 64 characters without blanks, colons and commas', () => {
    for (const text of ['p', 'zon', 'é', 'a'.repeat(64)]) isKey(text).should.be.true();
    for (const text of ['', 'a b', 'a:b', 'a,b', 'a\u0000', 'a'.repeat(65)]) isKey(text).should.be.false();
  });

  it('accept as a channel a number of at most 15 digits, or two keys', () => {
    for (const text of ['7', '123456789012345', 'zon:electric_power', '1:2', '7a:b']) {
      isChannelName(text).should.be.true();
    }
    for (const text of ['', 'zon', '1234567890123456', '7a', 'a7', 'a:', ':b', 'a:b:c', 'a b:c']) {
      isChannelName(text).should.be.false();
    }
  });

  it('accept as a word 1 to 64 characters without blanks', () => {
    for (const text of ['day', 'PT15M', 'a:b', 'a'.repeat(64)]) isWord(text).should.be.true();
    for (const text of ['', ' day', 'day ', 'a b', 'a\u0007', 'a'.repeat(65)]) isWord(text).should.be.false();
  });

  it('accept as a count whole numbers from 1 to the limit', () => {
    for (const count of [1, 2, mostEntries]) isEntryCount(count).should.be.true();
    for (const count of [0, -1, 1.5, mostEntries + 1, NaN, Infinity]) isEntryCount(count).should.be.false();
  });

  it('split a shard into two numbers', () => {
    should(splitShard(' 2 / 4 ')).eql({ part: 2, parts: 4 });
    for (const text of ['', '2', '2/', '/4', '2/4/8', 'a/4', '2/b', '1234567/1', '2/4x', 'x2/4']) {
      should(splitShard(text)).be.null();
    }
  });

  it('compare a date with 2010 and 2100 in its own offset', () => {
    should(readDate('2010-01-01T00:30+01:00')).equal('out_of_range');
    should(readDate('2009-12-31T23:30-01:00')).eql({ localMs: Date.UTC(2009, 11, 31, 23, 30), offsetMs: -3_600_000 });
    should(readDate('2100-01-01T00:30+01:00')).eql({ localMs: Date.UTC(2100, 0, 1, 0, 30), offsetMs: 3_600_000 });
    should(readDate('2099-12-31T23:30-01:00')).equal('out_of_range');
    should(readDate('2026-07-01T12:00z')).eql({ localMs: Date.UTC(2026, 6, 1, 12), offsetMs: 0 });
    should(readDate('2026-07-01T12:00')).eql({ localMs: Date.UTC(2026, 6, 1, 12), offsetMs: null });
  });

  it('read a fraction of a second as one: .5 is half of it', () => {
    should(readDate('2026-07-01T12:00:00.5')).eql({ localMs: Date.UTC(2026, 6, 1, 12, 0, 0, 500), offsetMs: null });
    should(readDate('2026-07-01T12:00:00,123456')).eql({
      localMs: Date.UTC(2026, 6, 1, 12, 0, 0, 123),
      offsetMs: null,
    });
  });

  it('accept a host name of 253 characters, and no longer one', () => {
    const label = 'a'.repeat(49);
    const longest = `${label}.${label}.${label}.${label}.${'a'.repeat(53)}`;
    longest.length.should.equal(253);
    should(readHost(longest)).eql({ host: longest, port: 80 });
    should(readHost(`${longest}a`)).equal('host_name');
  });

  it('accept one slash behind the host, and only with a scheme', () => {
    should(readHost('http://cemm.local/')).eql({ host: 'cemm.local', port: 80 });
    should(readHost('http://cemm.local//')).equal('host_path');
    should(readHost('http://cemm.local/a')).equal('host_path');
    should(readHost('http://cemm/local/')).equal('host_path');
    should(readHost('a http://cemm.local')).equal('host_path');
    should(readHost('cemm.local/')).equal('host_path');
    should(readHost('[fe80::1]x')).equal('host_port');
    should(readHost('x[fe80::1]')).equal('host_port');
  });

  it('look for scheme and password of a base address at its beginning only', () => {
    should(readBaseUrl('example.org/https://x/v1')).equal('base_address');
    should(readBaseUrl('//https://example.org/v1')).equal('base_address');
    should(readBaseUrl('1ftp://example.org/v1')).equal('base_address');
    should(readBaseUrl('https://example.org/a//b@c/v1')).eql({ url: 'https://example.org/a//b@c/v1/' });
    should(readBaseUrl('https:///x/v1')).equal('base_address');
    should(readBaseUrl('ftp:https://example.org/v1')).equal('base_scheme');
  });

  it('say of no text that it leaks a key unless it is a public address over plain HTTP', () => {
    for (const url of ['http://8.8.8.8/v1/', 'http://[2001:4860:4860::8888]/v1/', 'http://100.64.0.1/v1/']) {
      leaksKey(url).should.be.true();
    }
    for (const url of [
      '',
      'no address',
      'https://8.8.8.8/v1/',
      'http://192.168.1.2/v1/',
      'http://[fd00::1]/v1/',
      'http://example.org/v1/',
    ]) {
      leaksKey(url).should.be.false();
    }
  });
});
