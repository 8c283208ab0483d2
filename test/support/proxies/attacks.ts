/** Requests without a password that try to get past the only path that needs none. */

/** Targets behind the password. */
const targets = ['/flows', '/settings', '/dashboard/socket.io/', '/'];

/** The parent folder, in every spelling that a server has accepted for it. */
const parents = [
  '..',
  '%2e%2e',
  '.%2E',
  '%2E.',
  '..;',
  '..%00',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%uff0e%uff0e',
  '.%00.',
  '..%20',
];

const slashes = ['/', '//', '\\', '%2f', '%2F', '%5c', '%252f', '/./', ';/', '/;/'];

/** From a target to the path of the monitor, and from that path to the target. */
function traversals(): string[] {
  return targets.flatMap((target) => {
    const names = target.split('/').filter((name) => name !== '');
    return parents.flatMap((parent) =>
      slashes.flatMap((slash) => {
        const up = Array.from({ length: names.length + 1 }, () => parent).join(slash);
        return [
          `/${[...names, up, 'cemm'].join(slash)}`,
          `/cemm${slash}${parent}${slash}${names.join('/')}`,
          `/${names.join('/')}/${slash}${up}${slash}cemm`,
        ];
      }),
    );
  });
}

const spellings = [
  '/cemm/',
  '//cemm',
  '///cemm',
  '/./cemm',
  '/cemm/.',
  '/cemm//',
  '/cemm;',
  '/cemm;a=b',
  '/cemm;/flows',
  '/;/cemm',
  '/flows;/cemm',
  '/%63emm',
  '/cem%6d',
  '/%2563emm',
  '/cemm%2f',
  '/%2fcemm',
  '/%5ccemm',
  '\\cemm',
  '/\\cemm',
  '/cemm\\',
  '/CEMM',
  '/Cemm/../flows',
  '/FLOWS/../CEMM',
  '/dashboard/Socket.IO/../../cemm',
  '/cemm%20',
  '/cemm%09',
  '/cemm%00',
  '/cemm%00/../flows',
  '/flows%00/../cemm',
  '/flows%00cemm',
  '/cemm%0a',
  '/cemm%0d%0aX-Sent:%20yes',
  '/flows?/../cemm',
  '/flows?x=/cemm',
  '/flows?/cemm',
  '/flows%3f/../cemm',
  '/flows%3f/../../cemm',
  '/cemm?/../flows',
  '/cemm%3f/../flows',
  '/flows#/../cemm',
  '/flows#/cemm',
  '/cemm#/../flows',
  '/flows%23/../cemm',
  '/cemm%23/../flows',
  '/cemm/flows',
  '/cemm/dashboard/socket.io/?EIO=4&transport=polling',
  '/dashboard/socket.io/../../cemm?EIO=4&transport=polling',
  '/dashboard/socket.io/?EIO=4&transport=polling&x=/../../cemm',
  '/comms/../cemm',
  '/auth/token/../../cemm',
  '/cemm..',
  '/cemm...',
  '/.cemm',
  '/cemm.json',
  '/cémm',
  '*',
  'cemm',
  '?',
  '/%',
  '/cemm%',
  '/flows/%/../../cemm',
];

/** An absolute URL in place of a path. */
const absolute = [
  'http://home.example.org/cemm',
  'http://127.0.0.1/cemm',
  'http://home.example.org/flows',
  'http://home.example.org/flows/../cemm',
  'http://home.example.org/dashboard/socket.io/../../cemm?EIO=4&transport=polling',
  'http://home.example.org/cemm/../flows',
  'http://home.example.org//cemm',
  'http://cemm/flows',
  'http://cemm@home.example.org/flows',
  'http://home.example.org/flows?/cemm',
  'http://home.example.org/flows#/cemm',
  'http:///cemm',
  'http:/cemm',
  'http://home.example.org',
  'https://home.example.org/cemm',
  'file:///cemm',
  'HTTP://HOME.EXAMPLE.ORG/CEMM',
  '//home.example.org/cemm',
];

/** The part between method and version in the first line of a request. */
export const addresses: readonly string[] = [...new Set([...targets, ...traversals(), ...spellings, ...absolute])];

export const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'get', 'Post', 'TRACE', 'CONNECT'];

/** Headers that some servers trust, on a path without a password. */
export const believed: readonly (readonly string[])[] = [
  ['X-Original-URL: /flows'],
  ['X-Rewrite-URL: /flows'],
  ['X-Forwarded-Prefix: /flows/..'],
  ['X-Forwarded-Uri: /flows'],
  ['X-HTTP-Method-Override: GET'],
  ['X-HTTP-Method: DELETE'],
  [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
  ['Connection: Authorization, X-Signature'],
];

const hidden = 'GET /flows HTTP/1.1\r\nHost: home.example.org\r\n\r\n';

/** A second request inside the body of the first, whose end two servers may see in different places. */
export const smuggled: readonly string[] = [
  ['Content-Length: 5', 'Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
  [`Content-Length: ${hidden.length + 5}`, 'Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
  [`Content-Length: ${hidden.length + 5}`, 'Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`],
  [`Content-Length: ${hidden.length + 5}`, 'Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`],
  [`Content-Length: ${hidden.length + 5}`, 'Transfer-Encoding:\x0bchunked', `0\r\n\r\n${hidden}`],
  [`Content-Length: 0`, `Content-Length: ${hidden.length}`, hidden],
  [`Content-Length: 0, ${hidden.length}`, 'X: y', hidden],
  [`Content-Length: +0`, 'X: y', hidden],
  [`Content-Length: 0`, 'X: y', hidden],
  ['Transfer-Encoding: chunked', 'X: y', `0;x=\n\r\n\r\n${hidden}`],
  ['Transfer-Encoding: chunked', 'X: y', `0\n\n${hidden}`],
  ['Transfer-Encoding: chunked', 'X: y', `2\r\n{}0\r\n\r\n${hidden}`],
].map(([first = '', second = '', body = '']) =>
  ['POST /cemm HTTP/1.1', 'Host: home.example.org', 'Content-Type: application/json', first, second, '', body].join(
    '\r\n',
  ),
);
