/** The recipes of docs/webhook-proxies.md in front of a receiver that only counts bytes: the largest body, and the keys in logs. */
import should from 'should';
import { createServer, type Server as HttpServer } from 'node:http';
import { listenOnLoopback } from '../../support/network/loopback';
import { freePort } from '../../support/node-red/node-red';
import { proxies, recipeOf, withPorts } from '../../support/proxies/recipes';
import { startProxy } from '../../support/proxies/start';
import type { Server } from '../../support/servers/server-program';
import { bodyLimit } from '../../../src/webhook/authentication';
import { post } from '../../support/webhook/sending';

/** Answers with the number of bytes of the body. */
function countBytes(): HttpServer {
  return createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.end(String(bytes)));
  });
}

for (const proxy of proxies) {
  describe(`the recipe for ${proxy}`, function () {
    this.timeout(60_000);
    let server: Server;
    let port = 0;

    async function startInFrontOf(receiver: number): Promise<void> {
      port = await freePort();
      const recipe = withPorts(recipeOf(proxy), 'own', { nodeRed: await freePort(), receiver });
      server = await startProxy(proxy, { recipe, port });
    }

    it('passes on a delivery of as many bytes as the node accepts', async () => {
      const counting = countBytes();
      await startInFrontOf(await listenOnLoopback(counting));
      try {
        const reply = await post({ url: `http://127.0.0.1:${port}/cemm`, key: 'key' }, Buffer.alloc(bodyLimit, 'x'));
        should([reply.status, reply.text]).eql([200, String(bodyLimit)]);
      } finally {
        await server.stop();
        counting.close();
      }
    });

    it('writes no key in a URL or a header to a log when the receiver does not answer', async () => {
      await startInFrontOf(await freePort());
      try {
        const url = `http://127.0.0.1:${port}/cemm?api_key=key-in-url`;
        const sender = { url, key: 'key', headers: { 'X-API-Key': 'key-in-header' } };
        should((await post(sender, Buffer.from('{}'))).status).be.oneOf(502, 503);
        should((await post(sender, Buffer.alloc(300_000, 'x')).catch(() => null))?.status ?? 413).be.oneOf(413, 502);
      } finally {
        await server.stop();
      }
      server.output().should.not.match(/key-in-/);
    });
  });
}
