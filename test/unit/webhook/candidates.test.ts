import should from 'should';
import {
  candidatesOf,
  situationOf,
  type AddressForm,
  type Runtime,
  type Surroundings,
} from '../../../nodes/cemm-webhook-in/dialog/candidates';
import { usualAppServer } from '../../../nodes/cemm-webhook-in/config';

const form: AddressForm = { isOwn: false, path: '/cemm', port: '1881', bind: '0.0.0.0', isSecure: false };
const addresses = [
  { address: '192.168.1.20', name: 'eth0' },
  { address: '10.8.0.2', name: 'tun0' },
];
const plain: Runtime = {
  adminRoot: '/',
  addresses,
  shared: { isSecure: false, port: 1880, bind: '0.0.0.0' },
  app: null,
};
const inside: Runtime = { ...plain, shared: { isSecure: false, port: 1880, bind: '127.0.0.1' } };
const app: Runtime = {
  ...plain,
  shared: { isSecure: false, port: 46836, bind: '127.0.0.1' },
  app: { isSecure: true, port: 1880, isKnown: true },
};

function at(url: string, runtime: Runtime | null, nodeRoot = '/'): Surroundings {
  const { origin, hostname, pathname } = new URL(url);
  return { opened: { origin, hostname, pathname }, nodeRoot, runtime };
}

function addressesAt(
  url: string,
  runtime: Runtime | null,
  more: Partial<AddressForm> & { readonly nodeRoot?: string; readonly picked?: string } = {},
): string[] {
  const { nodeRoot = '/', picked = null, ...changed } = more;
  const found = candidatesOf({ ...form, ...changed }, at(url, runtime, nodeRoot), picked);
  return found.map(({ way, address }) => `${way} ${address}`);
}

const ingress = 'http://homeassistant.local:8123/api/hassio_ingress/Vx3qk/';

describe('the addresses for a monitor', () => {
  it('are that of the browser where it reaches Node-RED itself', () => {
    should(addressesAt('http://nas:1880/', plain)).eql(['direct http://nas:1880/cemm']);
    should(addressesAt('http://nas:1880/admin/', { ...plain, adminRoot: '/admin' }, { nodeRoot: '/api/' })).eql([
      'direct http://nas:1880/api/cemm',
    ]);
    should(addressesAt('http://nas:1880/', plain, { picked: '10.8.0.2' })).eql(['direct http://10.8.0.2:1880/cemm']);
    should(addressesAt('http://nas:1880/', plain, { isOwn: true })).eql(['own http://nas:1881/cemm']);
    should(addressesAt('http://nas:1880/', plain, { isOwn: true, isSecure: true, bind: 'fd00::5' })).eql([
      'own https://[fd00::5]:1881/cemm',
    ]);
    const secure: Runtime = { ...plain, shared: { isSecure: true, port: 443, bind: '::' } };
    should(addressesAt('https://nas/', secure)).eql(['direct https://nas/cemm']);
  });

  it('are those of this machine where the browser knows it as localhost, also through a tunnel', () => {
    should(addressesAt('http://localhost:1880/', plain)).eql(['direct http://192.168.1.20:1880/cemm']);
    should(addressesAt('http://127.0.0.1:9999/', plain)).eql(['direct http://192.168.1.20:1880/cemm']);
    should(addressesAt('http://localhost:1880/', plain, { isOwn: true })).eql(['own http://192.168.1.20:1881/cemm']);
  });

  it('are that of the browser as long as Node-RED has not said anything', () => {
    should(addressesAt('https://nodered.example.org/', null)).eql(['direct https://nodered.example.org/cemm']);
    should(addressesAt(ingress, null, { nodeRoot: '/endpoint' })).eql([
      'own http://homeassistant.local:1881/cemm',
      'app https://homeassistant.local:1880/endpoint/cemm',
    ]);
  });

  it('WA34: are a port of its own where Node-RED listens on loopback only', () => {
    should(situationOf(at('http://localhost:1880/', inside))).equal('local');
    should(addressesAt('http://localhost:1880/', inside)).eql([
      'own http://192.168.1.20:1881/cemm',
      'direct http://localhost:1880/cemm',
    ]);
  });

  it('WA34: name the server in front of Node-RED, and Node-RED itself only where it can be reached', () => {
    const proxied = 'https://nodered.example.org/';
    should(situationOf(at(proxied, plain))).equal('proxied');
    should(addressesAt(proxied, plain)).eql([
      'own http://192.168.1.20:1881/cemm',
      'proxy https://nodered.example.org/cemm',
      'direct http://192.168.1.20:1880/cemm',
    ]);
    should(addressesAt(proxied, inside)).eql([
      'own http://192.168.1.20:1881/cemm',
      'proxy https://nodered.example.org/cemm',
    ]);
    // A container port published under another number, and a proxy at the same port of another address.
    should(situationOf(at('http://nas:8080/', plain))).equal('proxied');
    should(situationOf(at('http://192.168.1.20:1880/', inside))).equal('proxied');
    should(addressesAt('https://home.example.org/nodered/', inside, { nodeRoot: '/api' })).containEql(
      'proxy https://home.example.org/nodered/api/cemm',
    );
  });

  it('WA34: never lead through the ingress of Home Assistant', () => {
    should(addressesAt(ingress, app, { nodeRoot: '/endpoint' })).eql([
      'own http://192.168.1.20:1881/cemm',
      'app https://192.168.1.20:1880/endpoint/cemm',
    ]);
    should(addressesAt(ingress, inside)).eql(['own http://192.168.1.20:1881/cemm']);
    should(addressesAt(ingress, plain)).eql([
      'own http://192.168.1.20:1881/cemm',
      'direct http://192.168.1.20:1880/cemm',
    ]);
  });

  it('in the app of Home Assistant have the port and the protocol of its web server', () => {
    const moved: Runtime = { ...app, app: { isSecure: false, port: 8443, isKnown: true } };
    should(addressesAt(ingress, moved, { nodeRoot: '/endpoint', picked: '10.8.0.2' })).eql([
      'own http://10.8.0.2:1881/cemm',
      'app http://10.8.0.2:8443/endpoint/cemm',
    ]);
    const off: Runtime = { ...app, app: { isSecure: true, port: null, isKnown: true } };
    should(addressesAt(ingress, off, { nodeRoot: '/endpoint' })).eql(['own http://192.168.1.20:1881/cemm']);
    const unknown: Runtime = { ...app, app: usualAppServer };
    should(addressesAt('https://ha:1880/', unknown, { nodeRoot: '/endpoint' })).containEql(
      'app https://192.168.1.20:1880/endpoint/cemm',
    );
  });

  it('offer other hosts only where they would be right', () => {
    const hosts = (url: string, runtime: Runtime, more: Partial<AddressForm> = {}): boolean[] =>
      candidatesOf({ ...form, ...more }, at(url, runtime), null).map(({ hasHosts }) => hasHosts);
    should(hosts('http://nas:1880/', plain)).eql([true]);
    should(hosts('http://nas:1880/', plain, { isOwn: true, bind: '192.168.1.20' })).eql([false]);
    should(hosts('https://nodered.example.org/', plain)).eql([true, false, true]);
    should(hosts('http://localhost:1880/', inside)).eql([true, false]);
  });
});
