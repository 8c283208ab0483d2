/** The first words of npm start: what is built, and which port to choose where the usual one is taken. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import should from 'should';

const script = path.resolve(__dirname, '../../../scripts/before-start.mjs');

function start(port: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [script], { env: { ...process.env, PORT: port }, encoding: 'utf8' });
}

describe('npm start', () => {
  let taken: number;
  const server = createServer();

  before((done) => {
    server.listen(0, '127.0.0.1', () => {
      taken = (server.address() as AddressInfo).port;
      done();
    });
  });

  after((done) => {
    server.close(done);
  });

  it('names another port where the port is taken, before it builds anything', () => {
    const { status, stdout, stderr } = start(String(taken));
    should(status).equal(1);
    stderr.should.match(
      new RegExp(`^Port ${taken} is taken by another program\\. Choose another port: PORT=\\d+ npm start$`, 'm'),
    );
    stdout.should.equal('');
  });

  it('refuses what is no port', () => {
    const { status, stderr } = start('http');
    should(status).equal(2);
    stderr.should.containEql('PORT must be a number from 1 to 65535, not "http".');
  });

  it('says what it builds', async () => {
    const free = await new Promise<number>((resolve) => {
      const other = createServer().listen(0, '127.0.0.1', () => {
        const { port } = other.address() as AddressInfo;
        other.close(() => {
          resolve(port);
        });
      });
    });
    const { status, stdout } = start(String(free));
    should(status).equal(0);
    stdout.should.startWith('Building the package into dist/: library, nodes, dialogs and JSON Schemas.');
  });
});
