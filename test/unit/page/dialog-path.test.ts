/** The way from the page to the dialog of its connection. */
import type { NodeAPI } from 'node-red';
import should from 'should';
import { dialogPath } from '../../../nodes/cemm-page/dialog-path';

const demo = { id: 'demo', type: 'cemm-connection', mode: 'demo', prices: '' };
const page = { id: 'page', type: 'cemm-page', wires: [['template'], ['balance']] };
const balance = { id: 'balance', type: 'cemm-balance', connection: 'demo' };

function pathFor(nodes: readonly object[], settings: object = { httpAdminRoot: '/' }): string | null {
  const api = { settings, nodes: { eachNode: (visit: (node: object) => void) => nodes.map(visit) } };
  return dialogPath(api as unknown as NodeAPI, 'page');
}

describe('the path of the connection’s dialog', () => {
  it('leads to a demo connection, below the root of the editor', () => {
    should(pathFor([page, balance, demo])).equal('/#cemm-connection/demo');
    should(pathFor([page, balance, demo], { httpAdminRoot: '/admin' })).equal('/admin/#cemm-connection/demo');
    should(pathFor([page, balance, demo], {})).equal('/#cemm-connection/demo');
  });

  it('leads to example prices', () => {
    const prices = '{"import":0.25,"example":true}';
    should(pathFor([page, balance, { ...demo, mode: 'local', prices }])).equal('/#cemm-connection/demo');
  });

  it('is absent for a real house, without an editor, and where the connection is not found', () => {
    should(pathFor([page, balance, { ...demo, mode: 'local', prices: '{"import":0.3}' }])).equal(null);
    should(pathFor([page, balance, demo], { httpAdminRoot: false })).equal(null);
    should(pathFor([page, balance, demo], { httpAdminRoot: '/', disableEditor: true })).equal(null);
    for (const nodes of [[], [page], [page, balance], [{ ...page, wires: 'none' }, balance, demo]]) {
      should(pathFor(nodes)).equal(null);
    }
  });
});
