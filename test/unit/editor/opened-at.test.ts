import should from 'should';
import { isLoopback, prefixOf } from '../../../nodes/lib/editor/opened-at';

describe('where the editor was opened', () => {
  it('knows the addresses that lead every machine to itself, also in a URL that is being written', () => {
    for (const host of ['localhost', '127.0.0.1', '127.5.5.5', '::1', '[::1]']) should(isLoopback(host)).be.true(host);
    for (const url of ['http://localhost:1880/', 'https://127.0.0.1/cemm', 'http://[::1]:${PORT}/cemm'])
      should(isLoopback(url)).be.true(url);
    for (const other of ['', 'localhost.example', 'localhost-2', '192.168.1.20', '::10', '[::1f]', 'http://nas:1880/'])
      should(isLoopback(other)).be.false(other);
  });

  it('finds what a proxy puts before the path of the editor', () => {
    const prefix = (pathname: string, adminRoot: string): string =>
      prefixOf({ origin: 'http://nas', hostname: 'nas', pathname }, adminRoot);
    should(prefix('/', '/')).equal('');
    should(prefix('/admin/', '/admin')).equal('');
    should(prefix('/nodered/', '/')).equal('/nodered');
    should(prefix('/nodered/admin', '/admin/')).equal('/nodered');
    should(prefix('/other', '/admin')).equal('');
  });
});
