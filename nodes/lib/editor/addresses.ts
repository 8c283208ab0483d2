/**
 * The part of ipaddr.js that the checks of src/checks/limits.ts need, for dialogs: the build takes this module instead, a tenth of the size.
 * The runtime checks every address again, with ipaddr.js.
 */

interface Address {
  toString(): string;
  range(): string;
}

const part = '(0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const fourParts = new RegExp(`^${part}\\.${part}\\.${part}\\.${part}$`);
const zone = /%[0-9a-z]+$/i;

/** The address in the shortest form, without its zone; null for any other text. */
function shortIpv6(text: string): string | null {
  if (!text.includes(':')) return null;
  // `::10.0.0.1`, an old way to write ::ffff:10.0.0.1
  const written = text.replace(zone, '').replace(/^::(?=\d+\.)/, '::ffff:');
  try {
    return new URL(`http://[${written}]`).hostname.slice(1, -1);
  } catch {
    return null;
  }
}

/** The address of four parts, if it is written as IPv6; otherwise the shortest form. */
function normalizeAddress(text: string): string {
  const short = shortIpv6(text) ?? text;
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}

/** Only ranges that the checks tell apart; `unicast` stands for all others. */
const ranges: readonly (readonly [string, RegExp])[] = [
  ['private', /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[^:]*$/],
  ['carrierGradeNat', /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.[^:]*$/],
  ['linkLocal', /^(?:169\.254\.|fe[89ab][\da-f]:)/],
  ['loopback', /^(?:127\.|::1$)/],
  ['uniqueLocal', /^f[cd][\da-f]{2}:/],
];

const ipaddr = {
  IPv4: { isValidFourPartDecimal: (text: string): boolean => fourParts.test(text) },
  IPv6: {
    isValid: (text: string): boolean => shortIpv6(text) !== null,
    parse: (text: string): Pick<Address, 'toString'> => ({
      toString: () => `${shortIpv6(text) ?? ''}${zone.exec(text)?.[0] ?? ''}`,
    }),
  },
  process: (text: string): Address => ({
    toString: () => normalizeAddress(text),
    range: () => ranges.find(([, pattern]) => pattern.test(normalizeAddress(text)))?.[0] ?? 'unicast',
  }),
};

export default ipaddr;
