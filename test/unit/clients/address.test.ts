/** Hosts, base addresses, and the addresses that a connection may reach. */
import fc from 'fast-check';
import should from 'should';
import { addressRefused, guardedLookup, hostOrigin, parseBaseUrl, parseLocalHost } from '../../../src/clients/address';
import { mayConnect } from '../../../src/checks/limits';
import { CemmError } from '../../../src/errors';

function flaw(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof CemmError && error.code === 'CONFIG' && !error.retryable) {
      should(error.message).match(/^[A-Z`].*\.$/);
      return error.reason ?? '';
    }
    throw error;
  }
  return 'accepted';
}

describe('local host', () => {
  for (const [text, host, port] of [
    ['192.168.1.20', '192.168.1.20', 80],
    [' 192.168.1.20 ', '192.168.1.20', 80],
    ['192.168.1.20:8080', '192.168.1.20', 8080],
    ['http://192.168.1.20', '192.168.1.20', 80],
    ['HTTP://192.168.1.20:81/', '192.168.1.20', 81],
    ['CEMM.local', 'cemm.local', 80],
    ['cemm.local.', 'cemm.local', 80],
    ['cemm:65535', 'cemm', 65535],
    ['my_cemm-2', 'my_cemm-2', 80],
    ['7cemm', '7cemm', 80],
    ['[fe80::1]', 'fe80::1', 80],
    ['http://[FD00:0:0::1]:8080', 'fd00::1', 8080],
  ] as const) {
    it(`reads ${text}`, () => {
      should(parseLocalHost(text)).eql({ host, port });
    });
  }

  for (const [reason, texts] of Object.entries({
    host_blank: ['', '  ', 'http://', 'http:///'],
    host_scheme: ['https://cemm.local', 'ftp://cemm', 'file:///etc/passwd', 'data://x'],
    host_credentials: ['admin@cemm', 'http://admin:secret@192.168.1.20', 'a@b/c'],
    host_path: [
      'cemm/open-api',
      'http://cemm/open-api/',
      'cemm?x',
      'cemm#x',
      'cemm\\x',
      '/cemm',
      'cemm/',
      '//cemm',
      'http://cemm//',
    ],
    host_zone: ['[fe80::1%eth0]', 'fe80::1%25eth0', 'cemm%2flocal', '%31'],
    host_port: [
      'cemm:',
      'cemm:0',
      'cemm:65536',
      'cemm:080',
      'cemm:8o',
      'cemm:-1',
      'cemm:1:2',
      'fe80::1',
      '::1',
      '[::1',
      '::1]',
      '[::1]x',
      'cemm:8080 ',
      'javascript:alert(1)',
    ],
    host_number: [
      '1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '127.1',
      '1.2.3',
      '0177.0.0.1',
      '010.0.0.1',
      '1.2.3.256',
      '1.2.3.4.5',
      'cemm.1',
      'cemm.0x10',
      '[]',
      '[1.2.3.4]',
      '[::g]',
      '[fe80:::1]',
    ],
    host_name: [
      'ce mm',
      'cemm..local',
      '.cemm',
      '-cemm',
      'cemm-',
      'zähler',
      'cemm\u0000',
      'ce\r\nmm',
      'cemm,x',
      '①②⑦',
      'a'.repeat(64),
      `${'a'.repeat(60)}.`.repeat(5) + 'a',
      '$(x)',
      '.',
    ],
  })) {
    for (const text of texts) {
      it(`refuses ${JSON.stringify(text).slice(0, 40)}: ${reason}`, () => {
        // A trailing space is removed, so the address is valid.
        if (text === 'cemm:8080 ') should(flaw(() => parseLocalHost(text))).equal('accepted');
        else should(flaw(() => parseLocalHost(text))).equal(reason);
      });
    }
  }

  it('LA4: yields the parsed host and port only, for any input', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.webUrl(),
      fc.webAuthority({ withIPv4: true, withIPv6: true, withPort: true, withUserInfo: true, withIPv4Extended: true }),
      fc.stringMatching(/^(http:\/\/)?[a-z0-9.:[\]@%/x-]{1,20}$/),
    );
    fc.assert(
      fc.property(typed, (text) => {
        if (flaw(() => parseLocalHost(text)) !== 'accepted') return;
        const address = parseLocalHost(text);
        const url = new URL(`${hostOrigin(address)}/open-api/v1/`);
        should(url.hostname.replace(/[[\]]/g, '')).equal(address.host);
        should(Number(url.port === '' ? 80 : url.port)).equal(address.port);
        should([url.pathname, url.search, url.hash, url.username, url.password]).eql(['/open-api/v1/', '', '', '', '']);
        should(parseLocalHost(hostOrigin(address))).eql(address);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('base address', () => {
  for (const [text, url] of [
    ['https://open-api.cemm.nl/v1/', 'https://open-api.cemm.nl/v1/'],
    ['https://open-api.cemm.nl/v1', 'https://open-api.cemm.nl/v1/'],
    [' HTTPS://Open-API.cemm.nl:443/V1/../v1 ', 'https://open-api.cemm.nl/v1/'],
    ['https://mijn.cemm.nl/open-api/v1', 'https://mijn.cemm.nl/open-api/v1/'],
    ['http://127.0.0.1:8080/v12/', 'http://127.0.0.1:8080/v12/'],
  ] as const) {
    it(`reads ${text}`, () => {
      should(parseBaseUrl(text)).equal(url);
    });
  }

  for (const [reason, texts] of Object.entries({
    base_blank: ['', ' '],
    base_address: [
      'open-api.cemm.nl/v1',
      'https://',
      'https:///v1/',
      'http:/x/v1/',
      'https://a b/v1',
      'https://a\\v1',
      'https://a/\r\nv1',
      'https://[::/v1',
      'https://x:99999/v1',
      '/v1/',
      'https://a\t/v1',
    ],
    base_scheme: [
      'file:///v1/',
      'data:text/plain,/v1/',
      'ftp://x/v1/',
      'javascript:alert(1)/v1/',
      'ws://x/v1',
      'http://8.8.8.8/v1/',
    ],
    base_credentials: ['https://user:pass@x/v1/', 'https://user@x/v1/', 'https://@x/v1/', 'https://:@x/v1'],
    base_query: [
      'https://x/v1/?api_key=1',
      'https://x/v1/?',
      'https://x/v1/#',
      'https://x/?/v1/',
      'https://x/v1?mail=a@b',
    ],
    base_version: [
      'https://x',
      'https://x/',
      'https://x/v',
      'https://x/api/',
      'https://x/v1/cemm/',
      'https://x/v1//',
      'https://x/v1/..',
    ],
  })) {
    for (const text of texts) {
      it(`refuses ${JSON.stringify(text)}: ${reason}`, () => {
        should(flaw(() => parseBaseUrl(text))).equal(reason);
      });
    }
  }

  it('RA28: does not change when parsed again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.webUrl({ withQueryParameters: true }), fc.string()), (text) => {
        for (const typed of [text, `${text}/v1`]) {
          if (flaw(() => parseBaseUrl(typed)) !== 'accepted') continue;
          const url = parseBaseUrl(typed);
          should(url).match(/^https?:\/\/[^/@?#]+\/([^?#]*\/)?v\d+\/$/);
          should(parseBaseUrl(url)).equal(url);
        }
      }),
    );
  });
});

describe('address rules', () => {
  const strict = { allowLoopback: false };

  for (const address of [
    '10.0.0.1',
    '172.16.0.1',
    '192.168.255.255',
    '100.64.0.1',
    '169.254.1.1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
  ]) {
    it(`allows ${address}`, () => {
      should(mayConnect(address, strict)).be.true();
    });
  }

  for (const address of [
    ...[
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '169.254.170.2',
      '100.100.100.200',
      'fd00:ec2::254',
    ],
    ...['169.254.170.23', 'fd00:ec2::23', 'FD00:0EC2:0::0023', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'],
    ...['fe80::a9fe:a9fe', 'fe80::a9fe:a9fe%eth0', '169.254.42.42', 'fd00:42::42', '169.254.0.23'],
    ...[
      '8.8.8.8',
      '100.128.0.1',
      '172.32.0.1',
      '2001:4860:4860::8888',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      '2002:a00:1::1',
    ],
    ...['224.0.0.1', '255.255.255.255', '239.255.255.250', 'ff02::1', '0.0.0.0', '::', '240.0.0.1', '198.18.0.1'],
    ...['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'],
    ...['', 'cemm.local', '10.0.0', '10.0.0.1/8', '2130706433x'],
  ]) {
    it(`refuses ${address === '' ? 'nothing' : address}`, () => {
      should(mayConnect(address, strict)).be.false();
    });
  }

  it('allows loopback by option, and nothing else', () => {
    const loose = { allowLoopback: true };
    should(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map((address) => mayConnect(address, loose))).eql([
      true,
      true,
      true,
    ]);
    should(['0.0.0.0', '::', '8.8.8.8', '169.254.169.254'].map((address) => mayConnect(address, loose))).eql([
      false,
      false,
      false,
      false,
    ]);
  });

  const resolving = (...addresses: string[]) =>
    guardedLookup(strict, (_host, _options, done) => {
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    });

  it('LA3: returns only the allowed addresses of a name', () => {
    resolving(
      '8.8.8.8',
      '192.168.1.20',
      '2a00::1',
      'fd00::1',
    )('cemm', { all: true }, (error, found) => {
      should(error).be.null();
      should(found).eql([
        { address: '192.168.1.20', family: 4 },
        { address: 'fd00::1', family: 6 },
      ]);
    });
    resolving('8.8.8.8', '192.168.1.20')('cemm', {}, (error, address, family) => {
      should([error, address, family]).eql([null, '192.168.1.20', 4]);
    });
  });

  it('fails where a name has no allowed address, and passes on what the resolver says', () => {
    for (const all of [true, false]) {
      resolving('8.8.8.8')('cemm', { all }, (error) => {
        should(error?.code).equal(addressRefused);
      });
      guardedLookup(strict, (_host, _options, done) => {
        done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
      })('cemm', { all }, (error) => {
        should(error?.code).equal('ENOTFOUND');
      });
    }
  });
});
