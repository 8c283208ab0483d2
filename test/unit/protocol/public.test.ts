/** Parsers of the public API, on the vendor's samples and on input that is invalid. */
import should from 'should';
import { parsePublicIdentity, parsePublicMeters, parsePublicTimeseries } from '../../../src/protocol/public-api';
import { ProtocolError } from '../../../src/protocol/json';

const cemm = {
  id: 24000293,
  name: 'Development',
  icon: 'building',
  icon_color: '#CF2D27',
  mac: '80:1F:12:47:06:B0',
  local_ip: '192.168.2.34',
  version: '1.10.0',
  timezone: 'Europe/Amsterdam',
  time: 1736428623,
  modules: ['webhooks', 'smartmeter', 'pulse', 'shelly', 'weather', 'mqtt'],
  currency: 'EUR',
};

const channel = {
  id: 1,
  key: 'electric_power_import',
  label: 'Vermogen afname',
  unit: 'W',
  aggregation_method: 'AVG',
};
const meter = { id: 1, key: 'hoofdmeter', label: 'Hoofdmeter', type: 'electricity', role: 'grid-connection' };

function refusal(parse: () => unknown): readonly [string, string] {
  try {
    parse();
  } catch (error) {
    if (error instanceof ProtocolError) return [error.path, error.expected];
  }
  throw new Error('a ProtocolError was expected');
}

describe('public API: cemm', () => {
  it('is read as the vendor shows it', () => {
    parsePublicIdentity(cemm).should.eql({
      id: '801f124706b0',
      name: 'Development',
      type: null,
      version: '1.10.0',
      core: null,
      cemm: 24000293,
      timezone: 'Europe/Amsterdam',
      time: 1736428623,
      currency: 'EUR',
      modules: cemm.modules,
    });
  });

  it('requires only the MAC address', () => {
    parsePublicIdentity({ mac: cemm.mac }).should.match({
      id: '801f124706b0',
      cemm: null,
      name: null,
      timezone: null,
      time: null,
      currency: null,
      modules: [],
    });
  });

  it('ignores an invalid time, number or module', () => {
    for (const odd of [0, -1, 1736428623000, '1736428623', null, {}]) {
      should(parsePublicIdentity({ ...cemm, time: odd }).time).be.null();
    }
    should(parsePublicIdentity({ ...cemm, id: 1.5 }).cemm).be.null();
    parsePublicIdentity({ ...cemm, modules: ['mqtt', 7, null, ''] }).modules.should.eql(['mqtt']);
    parsePublicIdentity({ ...cemm, modules: { a: 'mqtt' } }).modules.should.eql([]);
  });

  it('is refused without a MAC address', () => {
    for (const mac of [undefined, null, '', 'unknown', '80:1F:12:47:06', 7]) {
      refusal(() => parsePublicIdentity({ ...cemm, mac })).should.eql(['$.mac', 'mac']);
    }
    refusal(() => parsePublicIdentity({ data: cemm })).should.eql(['$.mac', 'mac']);
    for (const odd of [null, 7, 'text', [cemm]]) {
      refusal(() => parsePublicIdentity(odd)).should.eql(['$', 'object']);
    }
  });
});

describe('public API: meters', () => {
  it('are read as the vendor shows them', () => {
    parsePublicMeters({ meters: [{ ...meter, channels: [channel] }] }).should.eql([
      {
        ...meter,
        channels: [{ id: 1, key: channel.key, label: channel.label, unit: 'W', aggregation: 'AVG' }],
      },
    ]);
  });

  it('keep what they lack as null, and leave out what has no key', () => {
    parsePublicMeters({
      meters: [
        { key: 'zon', channels: [{ id: 2 }, { key: 'flow', unit: '' }] },
        { id: 9, label: 'x' },
        { key: 'kaal' },
      ],
    }).should.eql([
      {
        id: null,
        key: 'zon',
        label: null,
        type: null,
        role: null,
        channels: [{ id: null, key: 'flow', label: null, unit: null, aggregation: null }],
      },
      { id: null, key: 'kaal', label: null, type: null, role: null, channels: [] },
    ]);
  });

  it('are refused in another shape, with the place', () => {
    refusal(() => parsePublicMeters({ data: [] })).should.eql(['$.meters', 'list']);
    refusal(() => parsePublicMeters({ meters: { a: meter } })).should.eql(['$.meters', 'list']);
    refusal(() => parsePublicMeters({ meters: [7] })).should.eql(['$.meters[0]', 'object']);
    refusal(() => parsePublicMeters({ meters: [{ ...meter, channels: 7 }] })).should.eql([
      '$.meters[0].channels',
      'list',
    ]);
    refusal(() => parsePublicMeters({ meters: [meter, { ...meter, channels: [channel, 7] }] })).should.eql([
      '$.meters[1].channels[1]',
      'object',
    ]);
    refusal(() => parsePublicMeters([meter])).should.eql(['$', 'object']);
  });
});

describe('public API: time series', () => {
  it('has times in milliseconds, and null as no value', () => {
    const { times, values, withoutTime, malformed } = parsePublicTimeseries({
      data: [
        [1736290800, 4.5],
        [1736377200, null],
        [1736463600, 0],
      ],
      cemm: 24000293,
    });
    Array.from(times).should.eql([1736290800000, 1736377200000, 1736463600000]);
    Array.from(values).should.eql([4.5, NaN, 0]);
    [withoutTime, malformed].should.eql([0, 0]);
    const endless: unknown = JSON.parse('{"data":[[1736290800,1e999]]}');
    Array.from(parsePublicTimeseries(endless).values).should.eql([NaN]);
  });

  it('counts entries without a time and entries that are not a pair', () => {
    const { times, withoutTime, malformed } = parsePublicTimeseries({
      data: [
        [0, 0],
        [1736290800000, 1],
        [1736290800],
        ['1736290800', 1],
        null,
        7,
        {},
        [1736290800, 'x'],
        [1736290801, 1],
      ],
    });
    Array.from(times).should.eql([1736290800000, 1736290801000]);
    [withoutTime, malformed].should.eql([2, 5]);
  });

  it('is refused in another shape', () => {
    refusal(() => parsePublicTimeseries({ data: {} })).should.eql(['$.data', 'list']);
    refusal(() => parsePublicTimeseries({ meters: [] })).should.eql(['$.data', 'list']);
    refusal(() => parsePublicTimeseries(null)).should.eql(['$', 'object']);
  });
});
