import fc from 'fast-check';
import should from 'should';
import * as checks from '../../../nodes/lib/editor/checks';
import type { CheckResult } from '../../../nodes/lib/stored/field-rules';
import { channelChecks } from '../../../nodes/cemm-series/channel-checks';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { matchingZones } from '../../../nodes/cemm-connection/timezones';
import { readSettings } from '../../../nodes/cemm-connection/settings';
import { discoveryDefaults, discoveryFields } from '../../../nodes/cemm-discovery/config';
import { readNetworkSettings } from '../../../nodes/cemm-discovery/network';
import { interval, numberBetween } from '../../../nodes/lib/stored/field-rules';
import { parseProperties } from '../../../nodes/lib/stored/stored-properties';
import { realtimeDefaults, realtimeFields } from '../../../nodes/cemm-realtime/config';
import { parseDate } from '../../../src/calendar/dates';
import { parseBaseUrl, parseLocalHost } from '../../../src/clients/address';
import { invalidInput } from '../../../src/clients/request-context';
import { timeseriesFailure } from '../../../src/clients/public-client';
import { isIpAddress, mayConnect } from '../../../src/checks/limits';
import { parseShard } from '../../../src/connection/shard';
import { toMonitorId } from '../../../src/protocol/mac';

/** The key of the problem, or `ok`. */
function resultOf(result: CheckResult): string {
  return result === true ? 'ok' : result.key;
}

function passes(use: () => unknown): boolean {
  try {
    return use() !== null;
  } catch {
    return false;
  }
}

interface Table {
  readonly check: checks.FieldCheck;
  /** The runtime's answer for the same text. */
  readonly runtime: (text: string) => boolean;
  readonly rows: readonly (readonly [text: string, expected: string])[];
}

/** The check of a local connection before it connects. */
function mayBeContacted(text: string): boolean {
  const { host } = parseLocalHost(text);
  return !isIpAddress(host) || mayConnect(host, { allowLoopback: true });
}

/** A realtime node with this interval, on a connection of this kind. */
function acceptsInterval(text: string, mode: 'local' | 'remote'): boolean {
  const node = {
    rules: realtimeFields,
    defaults: realtimeDefaults,
    checks: { alias: checks.alias, mac: checks.mac },
    expand: (written: string) => written,
  };
  return parseProperties(node, { interval: text }).problem(mode) === null;
}

function acceptsWait(text: string): boolean {
  const node = {
    rules: discoveryFields,
    checks: { mac: checks.mac, broadcast: checks.broadcast, host: checks.host },
    expand: (written: string) => written,
  };
  return parseProperties(node, { wait: text }).problem(null) === null;
}

function networkSettings(changed: Partial<Record<'broadcast' | 'host', string>>): unknown {
  const expand = (text: string): string => text;
  return readNetworkSettings({ ...discoveryDefaults, ...changed }, { expand, allowLoopback: true });
}

const ok = (text: string): [string, string] => [text, 'ok'];
const plain = (text: string): [string, string] => [text, 'check.baseUrlPlain'];

const tables: Record<string, Table> = {
  'a host': {
    check: checks.host,
    runtime: (text) => passes(() => mayBeContacted(text) || null),
    rows: [
      ['192.168.1.20', 'ok'],
      ['192.168.1.20:8080', 'ok'],
      ['http://192.168.1.20', 'ok'],
      ['HTTP://cemm.local:80/', 'ok'],
      [' cemm.local ', 'ok'],
      ['cemm.local.', 'ok'],
      ['cemm', 'ok'],
      ['[fe80::1]', 'ok'],
      ['[fd00::12]:8080', 'ok'],
      ['', 'check.hostMissing'],
      ['http://', 'check.hostMissing'],
      ['https://192.168.1.20', 'check.hostScheme'],
      ['ftp://192.168.1.20', 'check.hostScheme'],
      ['admin:secret@192.168.1.20', 'check.hostPassword'],
      ['192.168.1.20/open-api', 'check.hostPath'],
      ['192.168.1.20?x=1', 'check.hostPath'],
      ['192.168.1.20\\x', 'check.hostPath'],
      ['192.168.1.20:0', 'check.hostPort'],
      ['192.168.1.20:65536', 'check.hostPort'],
      ['192.168.1.20:http', 'check.hostPort'],
      ['192.168.1.20:', 'check.hostPort'],
      ['fe80::1', 'check.hostBrackets'],
      ['8.8.8.8', 'check.hostNotLocal'],
      ['http://172.32.0.1:80/', 'check.hostNotLocal'],
      ['[2001:db8::1]', 'check.hostNotLocal'],
      ['169.254.169.254', 'check.hostNotLocal'],
      ['100.64.0.1', 'ok'],
      ['fe80%3A%3A1', 'check.host'],
      ['[fe80::zz]', 'check.host'],
      ['192.168.1', 'check.host'],
      ['192.168.1.256', 'check.host'],
      ['192.168.01.20', 'check.host'],
      ['0xc0a80114', 'check.host'],
      ['two words', 'check.host'],
      ['-cemm', 'check.host'],
    ],
  },
  'a base address': {
    check: checks.baseUrl,
    runtime: (text) => passes(() => parseBaseUrl(text)),
    rows: [
      ['https://open-api.cemm.nl/v1/', 'ok'],
      ['https://open-api.cemm.nl/v1', 'ok'],
      ['http://127.0.0.1:8080/some/v2/', 'ok'],
      ['', 'check.baseUrl'],
      ['open-api.cemm.nl/v1/', 'check.baseUrl'],
      ['ftp://open-api.cemm.nl/v1/', 'check.baseUrl'],
      ['https:///v1/', 'check.baseUrl'],
      ['https://open api.cemm.nl/v1/', 'check.baseUrl'],
      ['https://me:secret@open-api.cemm.nl/v1/', 'check.baseUrlSecrets'],
      ['https://open-api.cemm.nl/v1/?api_key=1', 'check.baseUrlSecrets'],
      ['https://open-api.cemm.nl/v1/#x', 'check.baseUrlSecrets'],
      ['https://open-api.cemm.nl/', 'check.baseUrlVersion'],
      ['https://open-api.cemm.nl/v1/cemm/', 'check.baseUrlVersion'],
      ...['http://10.1.2.3/v1', 'http://172.31.0.9/v1', 'http://192.168.1.2/v1', 'http://[::1]:81/v1'].map(ok),
      ...['http://[fd12::1]/v1/', 'http://[fe80::1]/v1/', 'http://service.lan/v1/', 'http://0x7f.1/v1/'].map(ok),
      ...['http://8.8.8.8/v1/', 'http://172.32.0.1/v1/', 'http://0.0.0.0/v1/', 'http://100.64.0.1/v1/'].map(plain),
      ...['http://[2001:db8::1]/v1/', 'http://[::]/v1/', 'http://134744072/v1/', 'http://11.1.1.1/v1/'].map(plain),
    ],
  },
  'a MAC address': {
    check: checks.mac,
    runtime: (text) => toMonitorId(text) !== null,
    rows: [
      ['00:1A:2B:3C:4D:5E', 'ok'],
      ['00-1a-2b-3c-4d-5e', 'ok'],
      ['001a2b3c4d5e', 'ok'],
      ['', 'check.mac'],
      ['00:1A-2B:3C:4D:5E', 'check.mac'],
      ['00:1A:2B:3C:4D', 'check.mac'],
      ['00:1A:2B:3C:4D:5G', 'check.mac'],
    ],
  },
  'a date': {
    check: checks.dateUntil(() => Date.UTC(2030, 0)),
    runtime: (text) => passes(() => parseDate(text, 'UTC')),
    rows: [
      ['2026', 'ok'],
      ['2026-10', 'ok'],
      ['2026-10-25', 'ok'],
      ['2028-02-29', 'ok'],
      ['2026-10-25T12:00', 'ok'],
      ['2026-10-25 12:00:30,5', 'ok'],
      ['2026-10-25T12:00:00+0200', 'ok'],
      ['2026-10-25t12:00:00z', 'ok'],
      ['', 'check.date'],
      ['25-10-2026', 'check.dateOrder'],
      ['2026-10-25T12', 'check.date'],
      ['2026-02-29', 'check.date'],
      ['2026-13', 'check.date'],
      ['2026-10-25T25:00', 'check.date'],
      ['2026-10-25T12:00+15:00', 'check.date'],
      ['2009', 'check.date'],
      ['2100', 'check.date'],
      ['1792929600', 'check.date'],
      ['yesterday', 'check.date'],
    ],
  },
  'a broadcast address': {
    check: checks.broadcast,
    runtime: (text) => text !== '' && passes(() => networkSettings({ broadcast: text })),
    rows: [
      ['192.168.1.255', 'ok'],
      ['255.255.255.255', 'ok'],
      ['', 'check.broadcast'],
      ['8.8.8.255', 'check.broadcast'],
      ['192.168.1', 'check.broadcast'],
      ['192.168.1.256', 'check.broadcast'],
      ['fd00::1', 'check.broadcast'],
      ['monitor.local', 'check.broadcast'],
    ],
  },
  'a deadline': {
    check: numberBetween(5, 60),
    runtime: (text) =>
      passes(() =>
        readSettings({
          config: { ...connectionDefaults, mode: 'demo', deadline: text },
          apiKey: undefined,
          expand: (written) => written,
        }),
      ),
    rows: [
      ['5', 'ok'],
      ['60', 'ok'],
      [' 25 ', 'ok'],
      ['4.9', 'check.numberBetween'],
      ['61', 'check.numberBetween'],
      ['', 'check.numberBetween'],
      ['2e1', 'check.numberBetween'],
      ['0x10', 'check.numberBetween'],
    ],
  },
  'a time to wait': {
    check: numberBetween(3, 60),
    runtime: acceptsWait,
    rows: [
      ['3', 'ok'],
      ['2.9', 'check.numberBetween'],
      ['1e1', 'check.numberBetween'],
    ],
  },
  'an interval on a remote connection': {
    check: interval(10),
    runtime: (text) => acceptsInterval(text, 'remote'),
    rows: [
      ['10', 'ok'],
      ['9', 'check.intervalFloor'],
      ['1e2', 'check.intervalNumber'],
    ],
  },
  'an interval on a local connection': {
    check: interval(5),
    runtime: (text) => acceptsInterval(text, 'local'),
    rows: [
      ['0', 'ok'],
      ['5', 'ok'],
      ['7.5', 'ok'],
      ['86400', 'ok'],
      ['0.1', 'check.intervalFloor'],
      ['4', 'check.intervalFloor'],
      ['-5', 'check.intervalNumber'],
      ['86401', 'check.intervalNumber'],
      ['ten', 'check.intervalNumber'],
    ],
  },
};

describe('checks of the dialogs', () => {
  for (const [name, { check, runtime, rows }] of Object.entries(tables)) {
    for (const [text, expected] of rows) {
      it(`${name}: ${JSON.stringify(text)} is ${expected}, as at run time`, () => {
        resultOf(check(text)).should.equal(expected);
        runtime(text).should.equal(expected === 'ok');
      });
    }
  }

  it('asks for a number of seconds where the field is blank', () => {
    resultOf(interval(5)('')).should.equal('check.intervalNumber');
  });

  it('an alias holds nothing that changes an address', () => {
    for (const text of ['p1', 'p1-gas', 'pulse-1', 'mb5', 'usage'])
      resultOf(checks.alias(text)).should.equal('ok', text);
    for (const text of ['', 'p1/gas', '../io', 'p 1', 'p1?x', 'p1%2fgas', '#']) {
      resultOf(checks.alias(text)).should.equal('check.alias', text);
    }
  });

  it('RA36: accepts the same aliases as the client', () => {
    const length = fc.integer({ min: 1, max: 70 });
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a-zA-Z0-9._-]{1,70}$/),
      length.map((letters) => 'a'.repeat(letters)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const alias = text.trim();
        should(resultOf(checks.alias(text)) === 'ok').equal(invalidInput({ alias }) === null);
      }),
      { examples: [['a'.repeat(32)], ['a'.repeat(33)], ['p1.gas'], ['p1_gas']] },
    );
  });

  it('takes the channels, words and shards that the client takes, and no others', () => {
    const question = { channel: 'm:c', resolution: 'day', count: 1, include: '' };
    fc.assert(
      fc.property(fc.string(), (text) => {
        const word = text.trim();
        const resolutionIsRight = resultOf(channelChecks.word(text)) === 'ok';
        should(resolutionIsRight).equal(timeseriesFailure({ ...question, resolution: word }) === null);
        const keyIsRight = word === '' || resultOf(channelChecks.key(text)) === 'ok';
        should(keyIsRight).equal(word === '' || timeseriesFailure({ ...question, channel: `${word}:c` }) === null);
      }),
      { examples: [['a\u0000b'], ['\u200bday']] },
    );
    for (const [text, part] of [
      ['1/1000', 1],
      ['1001/1001', null],
      ['2/1', null],
      ['x', null],
    ] as const) {
      should(resultOf(checks.shard(text)) === 'ok').equal(part !== null, text);
      if (part !== null) should(parseShard(text)?.part).equal(part);
      else should(() => parseShard(text)).throw();
    }
  });

  it('writes a date with the year first, where nothing else can be meant', () => {
    const check = checks.dateUntil(() => Date.UTC(2030, 0));
    for (const [text, written] of [
      ['20-11-2026', '2026-11-20'],
      [' 1.2.2026 ', '2026-02-01'],
      ['20/11/2026', '2026-11-20'],
      ['11/20/2026', '2026-11-20'],
    ] as const) {
      should(check(text)).deepEqual({ key: 'check.dateOrder', values: { written } });
    }
    // The third of April, or the fourth of March.
    for (const text of ['03/04/2026', '31-02-2026', '20-11/2026', '20-11-26']) {
      resultOf(check(text)).should.equal('check.date', text);
    }
  });

  it('refuses a date that has not begun anywhere', () => {
    const check = checks.dateUntil(() => Date.parse('2026-11-20T12:00:00Z'));
    for (const text of ['2026', '2026-11', '2026-11-20', '2026-11-21']) resultOf(check(text)).should.equal('ok', text);
    for (const text of ['2026-11-22', '2026-12', '2027'])
      resultOf(check(text)).should.equal('check.dateNotBegun', text);
  });

  it('a time zone is a name, never an offset', () => {
    for (const text of ['Europe/Amsterdam', 'UTC', 'America/Argentina/Buenos_Aires']) {
      resultOf(checks.timezone(text)).should.equal('ok', text);
    }
    for (const text of ['', 'Amsterdam', 'Europe/Nowhere', '+02:00', 'UTC+2']) {
      resultOf(checks.timezone(text)).should.equal('check.timezone', text);
    }
  });

  it('a number lies in its range, both ends included', () => {
    const check = numberBetween(5, 60);
    for (const text of ['5', '60', ' 25 ', '7.5']) resultOf(check(text)).should.equal('ok', text);
    for (const text of ['4.9', '61', '', 'abc', '1e1', '0x10'])
      resultOf(check(text)).should.equal('check.numberBetween', text);
    should(check('61')).deepEqual({ key: 'check.numberBetween', values: { min: 5, max: 60 } });
  });

  it('knows a text that holds an environment variable', () => {
    for (const text of ['${HOST}', 'http://${HOST}:80', '$(HOST)']) checks.holdsVariable(text).should.equal(true, text);
    for (const text of ['', 'HOST', '$HOST', '${}', 'x$(HOST)', 5, null])
      checks.holdsVariable(text).should.equal(false);
  });

  it('sees a range that ends before it starts', () => {
    const end = (fromType: string, from: string, toType: string, to: string): string => {
      const stored: Readonly<Record<string, string>> = { fromType, from, toType, to };
      return resultOf(checks.end(to, { textOf: (property) => stored[property] ?? '', mode: null }));
    };
    end('str', '2026-10-25', 'str', '2026-10-24').should.equal('check.endBeforeStart');
    end('str', '2026-10', 'str', '2026-09-30').should.equal('check.endBeforeStart');
    end('str', '2026-10-24', 'str', '2026-10-24').should.equal('ok');
    // Any moment of a period names it.
    end('str', '2026-10-25', 'str', '2026-10').should.equal('ok');
    end('str', '2026-10-25T12:00', 'str', '2026-10-25').should.equal('ok');
    end('str', '2026-10-25', 'str', ' 2026-09 ').should.equal('check.endBeforeStart');
    end('current', '', 'previous', '').should.equal('check.endBeforeStart');
    end('previous', '', 'current', '').should.equal('ok');
    end('msg', 'from', 'str', '2026').should.equal('ok');
    end('str', 'no date', 'str', '2026').should.equal('ok');
  });
});

describe('fields of the dialogs', () => {
  it('store a number as a number, and what is none as it was typed', () => {
    should(checks.numberOrText(' 15 ')).equal(15);
    should(checks.numberOrText('7.5')).equal(7.5);
    should(checks.numberOrText('${SECONDS}')).equal('${SECONDS}');
    should(checks.numberOrText('')).equal('');
  });

  it('propose the time zones that hold what was typed', () => {
    const zones = ['Europe/Amsterdam', 'Europe/Brussels', 'America/New_York'];
    matchingZones(zones, 'new york').should.deepEqual(['America/New_York']);
    matchingZones(zones, 'europe').should.deepEqual(['Europe/Amsterdam', 'Europe/Brussels']);
    matchingZones(zones, 'x').should.deepEqual([]);
  });

  it('says of an address under “Also try” that this field is wrong, not the address of a connection', () => {
    should(networkSettings({ host: 'cemm.local:8080' })).have.property('host', 'cemm.local:8080');
    (() => networkSettings({ host: 'http://cemm.local/api' })).should.throw({ code: 'CONFIG', reason: 'also_try' });
  });
});
