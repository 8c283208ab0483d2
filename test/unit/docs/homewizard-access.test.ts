/** The middleware of docs/homewizard.md, in front of the addresses of the example. */
import should from 'should';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import express from 'express';

const page = readFileSync(path.resolve(__dirname, '../../../docs/homewizard.md'), 'utf8');
const [, settings = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];

async function statuses(allowed: string, paths: readonly string[]): Promise<number[]> {
  const text = settings.replace("'192.0.2.20'", `'${allowed}'`);
  const { httpNodeMiddleware } = runInNewContext(`const module = {}; ${text}; module.exports`) as {
    httpNodeMiddleware: express.RequestHandler;
  };
  const app = express();
  for (const route of ['/api', '/api/v1/data', '/other', '/apis'])
    app.get(route, httpNodeMiddleware, (_, res) => res.end());
  const server = app.listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return await Promise.all(paths.map(async (one) => (await fetch(`http://127.0.0.1:${port}${one}`)).status));
  } finally {
    server.close();
  }
}

describe('docs/homewizard.md', () => {
  it('lets the allowed address read the house, and no other one', async () => {
    const house = ['/api', '/api/', '/api/v1/data', '/API/V1/data', '/api/v1/data/?a=b'];
    should(await statuses('127.0.0.1', house)).eql([200, 200, 200, 200, 200]);
    should(await statuses('192.0.2.20', house)).eql([403, 403, 403, 403, 403]);
  });

  it('leaves other addresses as they are', async () => {
    should(await statuses('192.0.2.20', ['/other', '/apis'])).eql([200, 200]);
  });
});
