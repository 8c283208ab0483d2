import { isIP } from 'node:net';
import should from 'should';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { totalsDefaults } from '../../../nodes/cemm-totals/config';
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';
import { readTypeCatalogue, flatten } from '../../../scripts/build/catalogue';
import { loadEditor, type LoadedEditor, root } from '../../support/editor/load-editor';

const connections = {
  local: { id: 'local', type: 'cemm-connection', mode: 'local', valid: true },
  remote: { id: 'remote', type: 'cemm-connection', mode: 'remote', valid: true },
  public: { id: 'public', type: 'cemm-connection', mode: 'public', valid: true },
  broken: { id: 'broken', type: 'cemm-connection', mode: 'local', valid: false },
};

describe('validators of the connection', () => {
  let editor: LoadedEditor;
  before(async () => {
    editor = await loadEditor('cemm-connection');
  });

  it('look at the fields of the chosen mode only', () => {
    for (const mode of ['local', 'public', 'remote', 'demo']) {
      const node = { ...connectionDefaults, mode };
      const hasAddress = mode === 'local' || mode === 'public';
      should(editor.judge('host', node, '')).equal(hasAddress ? 'check.hostMissing' : true);
      should(editor.judge('mac', node, 'x')).equal(hasAddress ? 'check.mac' : true);
      should(editor.judge('timezone', node, '')).equal(mode === 'public' ? true : 'check.timezone');
      should(editor.judge('timezone', node, 'Nowhere')).equal('check.timezone');
      should(editor.judge('baseUrl', node, 'x')).equal(mode === 'remote' ? 'check.baseUrl' : true);
    }
  });

  it('let a variable pass, and a blank MAC', () => {
    const node = { ...connectionDefaults, mode: 'local' };
    should(editor.judge('host', node, '${HOST}')).equal(true);
    should(editor.judge('mac', node, '')).equal(true);
    should(editor.judge('deadline', node, '${SECONDS}')).equal(true);
  });

  it('check stored numbers and typed texts alike', () => {
    should(editor.judge('deadline', connectionDefaults, 25)).equal(true);
    should(editor.judge('deadline', connectionDefaults, '4')).equal('check.numberBetween');
    should(editor.judge('timezone', connectionDefaults, 'Nowhere')).equal('check.timezone');
  });
});

describe('validators of the nodes that ask a meter', () => {
  let realtime: LoadedEditor;
  let series: LoadedEditor;
  let totals: LoadedEditor;
  before(async () => {
    realtime = await loadEditor('cemm-realtime', connections);
    series = await loadEditor('cemm-series', connections);
    totals = await loadEditor('cemm-totals', connections);
  });

  it('want a connection that is there and in order', () => {
    should(realtime.judge('connection', realtimeDefaults, '')).equal('check.connectionMissing');
    should(realtime.judge('connection', realtimeDefaults, '_ADD_')).equal('check.connectionMissing');
    should(realtime.judge('connection', realtimeDefaults, 'deleted')).equal('check.connectionGone');
    should(realtime.judge('connection', realtimeDefaults, 'broken')).equal('check.connectionInvalid');
    should(realtime.judge('connection', realtimeDefaults, 'local')).equal(true);
  });

  it('take a blank meter for all of them in realtime, and for a mistake in series and totals', () => {
    should(realtime.judge('alias', realtimeDefaults, '')).equal(true);
    should(series.judge('alias', seriesDefaults, '')).equal('check.aliasMissing');
    should(totals.judge('alias', totalsDefaults, '')).equal('check.aliasMissing');
    should(realtime.judge('alias', realtimeDefaults, 'p1/gas')).equal('check.alias');
    should(totals.judge('alias', totalsDefaults, 'p1')).equal(true);
  });

  it('take a property that is missing for its default', () => {
    should(realtime.judge('interval', { connection: 'local' }, undefined)).equal(true);
    should(series.judge('date', { connection: 'local' }, undefined)).equal(true);
    should(series.judge('alias', { connection: 'local' }, undefined)).equal('check.aliasMissing');
  });

  it('leave what comes from a message to Node-RED', () => {
    should(realtime.judge('monitor', { ...realtimeDefaults, monitorType: 'msg' }, 'monitor')).equal(true);
    should(realtime.judge('monitor', { ...realtimeDefaults, monitorType: 'msg' }, '')).equal('msg is blank');
    should(realtime.judge('monitor', realtimeDefaults, 'monitor')).equal('check.mac');
  });

  it('ask for the interval that the connection can bear', () => {
    const on = (connection: string, interval: unknown) =>
      realtime.judge('interval', { ...realtimeDefaults, connection }, interval);
    should(on('local', 5)).equal(true);
    should(on('local', 4)).equal('check.intervalFloor');
    should(on('remote', 9)).equal('check.intervalFloor');
    should(on('remote', '10')).equal(true);
    should(on('remote', 0)).equal(true);
    should(on('', 5)).equal(true);
  });

  it('refuse to poll with a value that only a message has', () => {
    const fromMessage = { ...realtimeDefaults, connection: 'local', aliasType: 'msg' };
    should(realtime.judge('interval', fromMessage, 10)).equal('check.intervalNeedsMessage');
    should(realtime.judge('interval', fromMessage, 0)).equal(true);
    const range = { ...seriesDefaults, connection: 'local', span: 'range', toType: 'msg' };
    should(series.judge('interval', range, 60)).equal('check.intervalNeedsMessage');
    should(series.judge('interval', { ...range, span: 'one' }, 60)).equal(true);
  });

  it('look at the dates of the chosen span only', () => {
    const written = { ...seriesDefaults, dateType: 'str', fromType: 'str', toType: 'str', from: '2026-10-02' };
    for (const span of ['one', 'range', 'new']) {
      const node = { ...written, span };
      should(series.judge('date', node, 'soon')).equal(span === 'one' ? 'check.date' : true);
      should(series.judge('from', node, 'soon')).equal(span === 'range' ? 'check.date' : true);
      should(series.judge('to', node, 'soon')).equal(span === 'range' ? 'check.date' : true);
      should(series.judge('to', node, '2026-10-01')).equal(span === 'range' ? 'check.endBeforeStart' : true);
      should(series.judge('to', node, '2026-10-02')).equal(true);
    }
  });

  it('look at meter, channel and how much of it on a public connection only, and there at nothing of the other kind', () => {
    const ofPublic: readonly [string, unknown, string][] = [
      ['meter', 'a b', 'check.key'],
      ['channel', '', 'check.channelMissing'],
      ['channel', 'a:b:c', 'check.key'],
      ['resolution', '', 'check.word'],
      ['resolution', 'per day', 'check.word'],
      ['count', 0, 'check.count'],
      ['count', '1.5', 'check.count'],
      ['count', 50_001, 'check.count'],
      ['include', 'a b', 'check.word'],
    ];
    for (const [property, value, sentence] of ofPublic) {
      should(series.judge(property, { ...seriesDefaults, connection: 'public' }, value)).equal(sentence, property);
      should(series.judge(property, { ...seriesDefaults, connection: 'local' }, value)).equal(true, property);
    }
    const sound: readonly [string, unknown][] = [
      ['alias', ''],
      ['meter', ''],
      ['channel', 'zon:flow'],
      ['channel', '17'],
      ['resolution', 'hour'],
      ['count', 366],
      ['include', ''],
    ];
    for (const [property, value] of sound) {
      should(series.judge(property, { ...seriesDefaults, connection: 'public' }, value)).equal(true, property);
    }
    const dated = { ...seriesDefaults, connection: 'public', dateType: 'str' };
    should(series.judge('date', dated, 'soon')).equal(true);
    const fromMessage = { ...seriesDefaults, connection: 'public', channelType: 'msg' };
    should(series.judge('interval', fromMessage, 60)).equal('check.intervalNeedsMessage');
    should(series.judge('interval', { ...fromMessage, channelType: 'str', aliasType: 'msg' }, 60)).equal(true);
  });

  it('need no text for the current and the previous period', () => {
    should(totals.judge('date', { ...totalsDefaults, dateType: 'previous' }, '')).equal(true);
    should(totals.judge('date', { ...totalsDefaults, dateType: 'str' }, '')).equal('check.date');
  });
});

describe('labels', () => {
  it('are the name, else the meter and what the node does', async () => {
    const { definition } = await loadEditor('cemm-realtime');
    const say = (key: string, values?: { meter?: string }) => `${values?.meter ?? ''} ${key}`;
    definition.label.call({ ...realtimeDefaults, _: say, name: 'House' }).should.equal('House');
    definition.label.call({ ...realtimeDefaults, _: say, alias: 'p1' }).should.equal('p1 label');
    definition.label.call({ ...realtimeDefaults, _: say, alias: 'topic', aliasType: 'msg' }).should.equal('label');
  });

  it('of a node that was imported without a property, with null or with a value that there is not, are words', async () => {
    for (const type of Object.keys(nodeTypes)) {
      const { definition } = await loadEditor(type);
      const keys = new Set(flatten(readTypeCatalogue(root, type, 'en-US')).keys());
      const missing: string[] = [];
      const say = (key: string): string => {
        if (!keys.has(key)) missing.push(key);
        return key;
      };
      const names = Object.keys(definition.defaults);
      const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
      const nodes = [{}, all(undefined), all(null), ...names.map((name) => ({ ...all(undefined), [name]: 'x' }))];
      for (const node of nodes) {
        const label = definition.label.call({ ...node, id: 'n', type, _: say });
        should(label)
          .be.a.String()
          .and.not.match(/undefined|null/);
        label.should.not.equal('', type);
      }
      missing.should.eql([], type);
    }
  });

  it('of a connection show its address', async () => {
    const { definition } = await loadEditor('cemm-connection');
    const label = (node: object) => definition.label.call({ ...connectionDefaults, _: (key: string) => key, ...node });
    label({ mode: 'local', host: 'cemm.local' }).should.equal('cemm.local');
    label({ mode: 'public', host: '192.168.1.20' }).should.equal('192.168.1.20');
    label({ mode: 'local', host: '' }).should.equal('label.local');
    label({ mode: 'demo' }).should.equal('label.demo');
  });
});

describe('validators of a webhook on a port of its own', () => {
  let editor: LoadedEditor;
  before(async () => {
    editor = await loadEditor('cemm-webhook-in');
  });

  it('look at port, address and /health only there', () => {
    const own = { ...webhookInDefaults, listen: 'own' };
    for (const port of ['1', '1881', '65535', '${CEMM_RECEIVER_PORT}', 8080])
      should(editor.judge('port', own, port)).equal(true);
    for (const port of ['0', '65536', '', '18a', '-1', '1.5', 0])
      should(editor.judge('port', own, port)).equal('check.port');
    should(editor.judge('bind', own, 'localhost')).equal('check.bind');
    should(editor.judge('path', own, 'Health/')).equal('check.pathHealth');
    should(editor.judge('path', own, '/health/x')).equal(true);
    should(editor.judge('port', webhookInDefaults, '0')).equal(true);
    should(editor.judge('bind', webhookInDefaults, '')).equal(true);
    should(editor.judge('path', webhookInDefaults, '/health')).equal(true);
  });

  it('take the addresses that Node.js takes', () => {
    const addresses = [
      '0.0.0.0',
      '192.168.1.5',
      '::',
      '::1',
      'fd00::5',
      'fe80::1%eth0',
      '::ffff:10.0.0.1',
      '256.1.1.1',
    ];
    const others = [
      '1.2.3',
      '01.2.3.4',
      '1.2.3.4.5',
      '[::1]',
      ':',
      ':::',
      '1::2::3',
      'fe80::1%',
      'a.b',
      '10.0.0.1:80',
      '',
    ];
    for (const bind of [...addresses, ...others]) {
      const result = editor.judge('bind', { ...webhookInDefaults, listen: 'own' }, bind);
      should(result === true).equal(isIP(bind) !== 0, bind);
    }
  });
});
