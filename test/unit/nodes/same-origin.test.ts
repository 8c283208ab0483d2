import type { IncomingMessage } from 'node:http';
import 'should';
import { isSameOrigin } from '../../../nodes/lib/admin-routes';

function fromPage(headers: Record<string, string>, remoteAddress = '192.168.1.9', isApp = false): boolean {
  return isSameOrigin({ headers, socket: { remoteAddress } } as unknown as IncomingMessage, isApp);
}

describe('the origin of a request to an admin route', () => {
  it('need not be there, as in a script of the user', () => {
    fromPage({ host: 'nas:1880' }).should.be.true();
  });

  it('is the address that was asked, with or without its port', () => {
    fromPage({ origin: 'http://nas:1880', host: 'nas:1880' }).should.be.true();
    fromPage({ origin: 'http://NAS:1880', host: 'nas:1880' }).should.be.true();
    fromPage({ origin: 'https://nas.example', host: 'nas.example' }).should.be.true();
    fromPage({ origin: 'https://nas.example', host: 'nas.example:443' }).should.be.true();
    fromPage({ origin: 'http://nas:8080', host: 'nas' }).should.be.true();
    fromPage({ origin: 'http://[fd00::1]:1880', host: '[fd00::1]:1880' }).should.be.true();
  });

  it('AE3: is refused when it differs or is missing', () => {
    for (const origin of ['http://evil.example', 'http://nas:8123', 'http://nas.evil.example:1880', 'null', 'nas:1880'])
      fromPage({ origin, host: 'nas:1880' }).should.be.false(origin);
    fromPage({ origin: 'http://nas:1880' }).should.be.false();
  });

  it('is known from the browser itself on secure pages', () => {
    const host = 'nodered:1880';
    fromPage({ origin: 'https://home.example', host, 'sec-fetch-site': 'same-origin' }).should.be.true();
    for (const site of ['cross-site', 'same-site', 'none']) {
      fromPage({ origin: 'https://evil.example', host: 'evil.example', 'sec-fetch-site': site }).should.be.false();
    }
  });

  it('is what the server of the Home Assistant app says that was asked', () => {
    const page = { origin: 'http://homeassistant.local:8123', host: '127.0.0.1:46836' };
    const told = { ...page, 'x-forwarded-host': 'homeassistant.local:8123' };
    fromPage({ ...page, host: 'homeassistant.local:8123' }, '127.0.0.1', true).should.be.true();
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) fromPage(told, address, true).should.be.true();
    fromPage({ ...told, 'x-forwarded-host': 'evil.example, homeassistant.local:8123' }, '::1', true).should.be.true();
    fromPage({ ...told, 'x-forwarded-host': 'homeassistant.local:8123, nas' }, '::1', true).should.be.false();
    fromPage({ ...told, 'x-forwarded-host': '' }, '::1', true).should.be.false();
    fromPage(told, '192.168.1.9', true).should.be.false();
  });

  it('is not what a script of another site says, neither from its page nor through a proxy on this machine', () => {
    const page = { origin: 'http://evil.example', host: 'nas:1880', 'x-forwarded-host': 'evil.example' };
    for (const address of ['192.168.1.9', '127.0.0.1', '::1']) fromPage(page, address).should.be.false();
  });
});
