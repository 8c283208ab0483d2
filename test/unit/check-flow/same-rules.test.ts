/** The dialogs and cemm-check-flow report the same problem for every field. */
import should from 'should';
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import { findingsIn } from '../../support/check-flow/checked-flows';
import { loadEditor } from '../../support/editor/load-editor';

const texts = [
  ...['', ' ', 'p1', 'p 1', 'p1/gas', 'a:b', 'a:b:c', '7', '0', '4', '5', '-1', '1e3', '86401', '61', '${NAME}'],
  ...['00:1A:2B:3C:4D:5E', '001a2b3c4d5', '192.168.1.20', '192.168.1.256', '8.8.8.8', 'fd00::1', 'http://cemm.local'],
  ...[
    'https://cemm.local',
    'https://example.com/v1/',
    'http://example.com/',
    'Europe/Amsterdam',
    'Amsterdam',
    '2/4',
    '5/4',
  ],
  ...[
    '2026-02-30',
    '2026-10',
    '25-10-2026',
    '2999-01-01',
    '/cemm',
    '/health',
    '/:house',
    '/cemm/:a/:a',
    'x y z',
    'X-Key',
    '24000001, 2',
  ],
];

/** Values of a list; the only one has the meters of the house. */
const lists: readonly (readonly object[])[] = [
  [],
  [{ meter: 'mb2', name: 'Heat pump', role: 'consumption' }],
  [{ meter: 'mb2', role: 'none' }, { meter: '${METER}' }],
  [{ meter: 'mb2' }, { meter: 'mb2' }],
  [{ meter: 'mb:2' }],
  [{ meter: 's01', role: 'battery' }],
  [
    { meter: 'mb2', within: 'mb3' },
    { meter: 'mb3', within: 'mb2' },
  ],
];

/** Modes in which other fields apply. */
const settings: Readonly<Record<string, readonly object[]>> = {
  'cemm-connection': ['local', 'remote', 'public', 'demo'].map((mode) => ({ mode })),
  'cemm-discovery': ['network', 'monitors', 'meters'].map((scope) => ({ scope })),
  'cemm-series': [
    { span: 'one', dateType: 'str' },
    { span: 'range', fromType: 'str', toType: 'str' },
    { connection: 'three' },
  ],
  'cemm-totals': [{ dateType: 'str' }, { dateType: 'previous' }, { dateType: 'str', connection: 'service' }],
  'cemm-balance': [
    {},
    { period: 'now' },
    { source: 'messages' },
    { span: 'range', fromType: 'str', toType: 'current' },
  ],
  'cemm-webhook-in': [{}, { listen: 'own', header: true, query: true }],
};

const connections = {
  house: { id: 'house', type: 'cemm-connection', mode: 'local' },
  three: { id: 'three', type: 'cemm-connection', mode: 'public' },
  service: { id: 'service', type: 'cemm-connection', mode: 'remote' },
};

describe('what a field may hold', function () {
  this.timeout(120_000);

  for (const [type, { defaults, rules, outputs }] of Object.entries(nodeTypes)) {
    it(`${type}: the dialog and cemm-check-flow agree`, async () => {
      const editor = await loadEditor(type, connections);
      let compared = 0;
      for (const setting of settings[type] ?? [{}]) {
        const node = {
          ...defaults,
          ...('connection' in rules && { connection: 'house' }),
          alias: 'p1',
          channel: 'a',
          ...setting,
        };
        const own = Object.fromEntries(Object.entries(node).filter(([name]) => name in rules));
        for (const [property, rule] of Object.entries(rules)) {
          // Choices are lists in a dialog, checkboxes have keys beside them, and a key source is compared with the runtime
          // by another test.
          const isChecked = editor.definition.defaults[property]?.validate !== undefined;
          if (!isChecked || rule.values !== undefined || rule.is === 'boolean' || rule.check === 'keyFrom') continue;
          for (const text of rule.is === 'list' ? lists : texts) {
            const changed = { ...own, [property]: text };
            const place = outputs === null ? {} : { z: 'flow', wires: outputs.map(() => []) };
            const start = { id: 'start', type: 'inject', wires: [['n1']] };
            const flow = [...Object.values(connections), start, { ...changed, ...place, id: 'n1', type }];
            const findings = findingsIn(flow).filter(({ id, field }) => id === 'n1' && field === property);
            const inDialog = editor.judge(property, { ...changed, type }, text) === true;
            const written = `${property} ${JSON.stringify(text)} with ${JSON.stringify(setting)}`;
            should(findings.length === 0).equal(inDialog, written);
            compared += 1;
          }
        }
      }
      compared.should.be.aboveOrEqual(['cemm-format', 'cemm-page'].includes(type) ? texts.length : 2 * texts.length);
    });
  }
});
