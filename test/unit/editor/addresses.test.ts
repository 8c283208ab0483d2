import 'should';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import addresses from '../../../nodes/lib/editor/addresses';

/** The ranges that src/checks/limits.ts tells apart. */
const told = ['private', 'carrierGradeNat', 'linkLocal', 'loopback', 'uniqueLocal'];

const octet = fc.oneof(
  fc.constantFrom(0, 1, 10, 16, 31, 64, 100, 127, 168, 169, 172, 192, 254, 255),
  fc.nat({ max: 260 }),
);
const ipv4 = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'));
const hex = fc.constantFrom(
  '0',
  '1',
  'A',
  'fe80',
  'febf',
  'fec0',
  'fc00',
  'fd12',
  'ff02',
  '0fe8',
  'ffff',
  '12345',
  'g',
);
const groups = fc.array(hex, { maxLength: 8 }).map((parts) => parts.join(':'));
const ipv6 = fc
  .tuple(groups, fc.constantFrom('', ':', '::', '::ffff:'), fc.oneof(groups, ipv4), fc.constantFrom('', '%eth0', '%'))
  .map((parts) => parts.join(''));

describe('addresses in a dialog', () => {
  it('are read as ipaddr.js reads them', () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (text) => {
        // A dialog refuses the octal numbers that ipaddr.js reads in the last part of an IPv6 address.
        fc.pre(!/:.*[:.]0\w+(?:\.|$|%)/.test(text) || !text.includes('.'));
        const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(text);
        const isIpv6 = ipaddr.IPv6.isValid(text);
        addresses.IPv4.isValidFourPartDecimal(text).should.equal(isIpv4, text);
        addresses.IPv6.isValid(text).should.equal(isIpv6, text);
        if (!isIpv4 && !isIpv6) return;
        valid += 1;
        if (isIpv6) addresses.IPv6.parse(text).toString().should.equal(ipaddr.IPv6.parse(text).toString(), text);
        const bare = text.replace(/%.*$/, '');
        const one = ipaddr.process(bare);
        addresses.process(bare).toString().should.equal(one.toString(), text);
        addresses
          .process(bare)
          .range()
          .should.equal(told.includes(one.range()) ? one.range() : 'unicast', text);
      }),
      { numRuns: 20_000 },
    );
    valid.should.be.above(3_000);
  });

  it('have the ranges at their first and last address', () => {
    const pairs = [
      ...['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
      ...['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0', '192.168.0.0', '192.169.0.0'],
      ...['169.254.0.0', '169.255.0.0', '127.255.255.255', '128.0.0.0', '::1', '::2', '::', '::ffff:10.1.2.3'],
      ...['fe80::', 'febf::', 'fec0::', 'fc00::', 'fdff::', 'fe00::', '1::', '::10.0.0.1'],
    ];
    for (const text of pairs) {
      const range = ipaddr.process(text).range();
      addresses
        .process(text)
        .range()
        .should.equal(told.includes(range) ? range : 'unicast', text);
    }
  });
});
