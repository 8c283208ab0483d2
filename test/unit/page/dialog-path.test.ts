/** The way from the page to the dialog of its connection. */
import type { NodeAPI } from 'node-red';
import should from 'should';
import { type DialogPath, dialogPath } from '../../../nodes/cemm-page/dialog-path';

const demo = { id: 'demo', type: 'cemm-connection', mode: 'demo', prices: '' };
const page = { id: 'page', type: 'cemm-page', wires: [['template'], ['balance']] };
const balance = { id: 'balance', type: 'cemm-balance', connection: 'demo' };

function pathFor(nodes: readonly object[], settings: object = { httpAdminRoot: '/' }): DialogPath | null {
  const api = { settings, nodes: { eachNode: (visit: (node: object) => void) => nodes.map(visit) } };
  return dialogPath(api as unknown as NodeAPI, 'page');
}

const toExample: DialogPath = { path: '/#cemm-connection/demo', isExample: true };

describe('the path of the connection’s dialog', () => {
  it('leads to a demo connection, below the root of the editor', () => {
    should(pathFor([page, balance, demo])).eql(toExample);
    should(pathFor([page, balance, demo], { httpAdminRoot: '/admin' })?.path).equal('/admin/#cemm-connection/demo');
    should(pathFor([page, balance, demo], {})).eql(toExample);
  });

  it('leads to example prices', () => {
    const prices = '{"import":0.25,"example":true}';
    should(pathFor([page, balance, { ...demo, mode: 'local', prices }])).eql(toExample);
  });

  it('leads to the connection of a real house, as no example', () => {
    const real = { ...demo, mode: 'local', prices: '{"import":0.3}' };
    should(pathFor([page, balance, real])).eql({ ...toExample, isExample: false });
  });

  it('is absent without an editor, and where the connection is not found', () => {
    should(pathFor([page, balance, demo], { httpAdminRoot: false })).equal(null);
    should(pathFor([page, balance, demo], { httpAdminRoot: '/', disableEditor: true })).equal(null);
    for (const nodes of [[], [page], [page, balance], [{ ...page, wires: 'none' }, balance, demo]]) {
      should(pathFor(nodes)).equal(null);
    }
  });
});
