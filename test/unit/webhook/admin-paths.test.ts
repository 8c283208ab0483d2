import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import express from 'express';
import type { NodeAPI } from 'node-red';
import should from 'should';
import { adminPaths, editorSegments } from '../../../nodes/cemm-webhook-in/routes/admin-paths';
import { filesUnder } from '../../support/editor/source-keys';

/** Node-RED's apps: the httpAdmin of nodes is mounted in the app of the editor. */
function nodeRedLike(adminRoot: string): { root: express.Express; httpAdmin: express.Express; RED: NodeAPI } {
  const [root, editor, httpAdmin, httpNode] = [express(), express(), express(), express()];
  editor.use(httpAdmin);
  root.use(adminRoot, editor);
  root.use('/', httpNode);
  return { root, httpAdmin, RED: { httpAdmin, httpNode, settings: {} } as unknown as NodeAPI };
}

describe('the routes of the editor', () => {
  it('are where its app is, with the routes that nodes have added', () => {
    const { httpAdmin, RED } = nodeRedLike('/admin');
    httpAdmin.use((_req, _res, next) => {
      next();
    });
    httpAdmin.post('/cemm-connection/test', () => undefined);
    httpAdmin.get(['/Inject/:id', 'debug/view/*'], () => undefined);
    httpAdmin.get(/^\/pattern/, () => undefined);
    const { root, segments } = adminPaths(RED);
    should(root).equal('/admin');
    [...segments].should.deepEqual(['cemm-connection', 'inject', 'debug']);
  });

  it('are none where the editor is off, not mounted, or on another server', () => {
    const { RED } = nodeRedLike('/');
    should(adminPaths(RED).root).equal('');
    should(adminPaths({ ...RED, settings: { httpAdminRoot: false } } as unknown as NodeAPI).root).be.null();
    should(adminPaths({ ...RED, httpAdmin: express() }).root).be.null();
    should(adminPaths({ ...RED, httpAdmin: nodeRedLike('/').httpAdmin }).root).be.null();
  });

  it('AE11: of Node-RED are all known', () => {
    const sources = filesUnder(dirname(require.resolve('@node-red/editor-api')), '.js').map((file) =>
      readFileSync(file, 'utf8'),
    );
    const routes = sources.flatMap((source) => [
      ...source.matchAll(/(?:editorApp|adminApp|app)\.(?:get|post|put|delete|use)\(\s*(?:["']\/|\/\^\\\/)([a-z-]+)/gi),
    ]);
    const found = new Set(routes.map(([, segment = '']) => segment));
    found.size.should.be.above(10);
    [...found].filter((segment) => !editorSegments.has(segment)).should.deepEqual([]);
  });
});
