import should from 'should';
import { FlowFileError, readFlowFile } from '../../../nodes/check-flow/flow-file';
import { closest } from '../../../src/checks/closest';
import { isWarning, lineOf } from '../../../nodes/check-flow/finding';
import { findingsIn } from '../../support/check-flow/checked-flows';
import {
  demo,
  findingsOf,
  found,
  type Node,
  nodeOf,
  other,
  ownPort,
  realtime,
  tab,
} from '../../support/check-flow/written-nodes';
import { prototypeNames } from '../../support/prototype-names';

describe('cemm-check-flow', function () {
  this.timeout(60_000);

  describe('of a node', () => {
    it('finds nothing in one that is right', () => {
      found(realtime()).should.eql([]);
    });

    const wrong: readonly (readonly [string, Node, string])[] = [
      [
        'an invented property, and names the one that was meant',
        { ...realtime({ alias: undefined }), alais: 'p1' },
        'unknown_property alais → alias',
      ],
      ['a connection that is not there', realtime({ connection: undefined }), 'no_connection connection → house'],
      ['a port that is a number', ownPort(1881), 'wrong_type port → "1881"'],
      ['a port that is a number and no port', ownPort(99_999), 'wrong_type port → "1881"'],
      ['a number for a text', realtime({ alias: 1 }), 'wrong_type alias → "1"'],
      ['a text for a tick', realtime({ onlyChanges: 'true' }), 'wrong_type onlyChanges → true'],
      ['a word that is no choice', realtime({ role: 'gird' }), 'wrong_value role → grid'],
      ['an alias with a slash', realtime({ alias: 'p1/gas' }), 'wrong_value alias'],
      ['a MAC address of eleven digits', realtime({ monitor: '001a2b3c4d5' }), 'wrong_value monitor'],
      ['an interval that the connection cannot bear', realtime({ interval: 2 }), 'wrong_value interval'],
      [
        'an interval with a value from a message',
        realtime({ alias: 'alias', aliasType: 'msg' }),
        'wrong_value interval',
      ],
      [
        'msg. in front of a property of the message',
        realtime({ interval: 0, alias: 'msg.alias', aliasType: 'msg' }),
        'wrong_value alias → alias',
      ],
      [
        'an expression that is not closed',
        realtime({ interval: 0, alias: '$lookup(a', aliasType: 'jsonata' }),
        'wrong_value alias',
      ],
      [
        'a connection that the file does not have',
        realtime({ connection: 'domo' }),
        'no_connection connection → house',
      ],
      ['a node without a connection', realtime({ connection: '' }), 'no_connection connection → house'],
      ['a connection that is none', realtime({ connection: 'flow' }), 'no_connection connection → house'],
      ['a type that there is not', { ...realtime(), type: 'cemm-realtimes' }, 'unknown_type type → cemm-realtime'],
      ['wires without lists of outputs', realtime({ wires: ['x'] }), 'no_output wires → [[],[]]'],
      ['a third output', realtime({ wires: [[], [], ['grid']] }), 'no_output wires'],
      ['a wire to nowhere', realtime({ wires: [['gone'], []] }), 'no_target wires'],
      ['a wire to a node without input', realtime({ wires: [['house'], []] }), 'no_input wires'],
      ['a webhook without proof', nodeOf('cemm-webhook-in', 'hook', { hmac: false }), 'no_proof open'],
      [
        'a range that ends before it begins',
        nodeOf('cemm-series', 's', {
          connection: 'house',
          alias: 'p1',
          span: 'range',
          fromType: 'current',
          toType: 'previous',
        }),
        'wrong_value to',
      ],
      [
        'readings of yesterday from a monitor that has none',
        nodeOf('cemm-totals', 't', { connection: 'house', alias: 'p1', dateType: 'previous' }),
        'wrong_value date',
      ],
      [
        'a price that is misspelled',
        nodeOf('cemm-balance', 'b', {
          connection: 'house',
          prices: '{"currency":"EUR","imprt":0.3}',
          pricesType: 'json',
        }),
        'wrong_value prices',
      ],
      [
        'prices without a currency',
        nodeOf('cemm-balance', 'b', { connection: 'house', prices: '{"import":0.3}', pricesType: 'json' }),
        'wrong_value prices',
      ],
      [
        'a misspelled price of a connection',
        { ...demo, id: 'priced', prices: '{"currency":"EUR","imprt":0.3}', pricesType: 'json' },
        'wrong_value prices',
      ],
      [
        'prices of a connection from a message',
        { ...demo, id: 'priced', prices: 'prices', pricesType: 'msg' },
        'wrong_value pricesType',
      ],
      [
        'prices of a connection that is not named',
        nodeOf('cemm-balance', 'b', { source: 'messages', pricesType: 'connection' }),
        'wrong_value prices',
      ],
      [
        'a variable without fixed text as the name of a key',
        nodeOf('cemm-webhook-in', 'hook', { path: '/cemm/:house', hmacKeyFrom: '${house}', hmacKeyFromType: 'env' }),
        'wrong_value hmacKeyFrom',
      ],
    ];
    const pricesOf = (prices: string): Node =>
      nodeOf('cemm-balance', 'b', { connection: 'house', prices, pricesType: 'json' });
    const said = (prices: object): string[] =>
      findingsIn([tab, demo, pricesOf(JSON.stringify({ currency: 'EUR', ...prices }))]).map(
        ({ problem, message }) => `${problem} ${message}`,
      );

    it('finds nothing in prices of every kind', () => {
      const list = [{ start: '2026-01-01', value: { t1: 0.2, t2: 0.3 } }];
      const prices = {
        import: list,
        export: { list, times: 1.21, plus: 0.15 },
        export_fee: 0.03,
        gas: [{ start: '2026-01-01', value: 1.3 }],
        water: 1.1,
        per_day: -0.1,
        per_year: -628.96,
        peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
        example: true,
      };
      said(prices).should.eql([]);
    });

    it('names the price that is not there, and what was meant', () => {
      said({ imprt: 0.3 }).should.eql(['wrong_value “prices”: there is no price “imprt”. Write “import”.']);
      said({ peak: { per_kw_jear: 50 } }).should.eql([
        'wrong_value “prices”: there is no price “peak.per_kw_jear”. Write “per_kw_year”.',
      ]);
      said({ export: [{ start: '2026-01-01', valeu: 1 }] }).should.eql([
        'wrong_value “prices”: there is no price “export[0].valeu”. Write “value”.',
      ]);
      said({ gas: { t1: 1, t2: 2 } }).should.eql(['wrong_value “prices”: “gas” is missing, or no price.']);
      said({ currency: 1 }).should.eql(['wrong_value “prices”: “currency” has to be a text such as “EUR”.']);
      found(pricesOf('{')).should.eql(['wrong_value prices']);
    });

    it('asks whether a price above 2 EUR per kWh is in cents, which is no error', () => {
      said({ import: { t1: 24.1, t2: 28 }, export_fee: 2 }).should.eql([
        'unusual_value “prices”: “import.t1” and 1 more above 2 EUR per kWh. Is this in cents?',
      ]);
      said({ import: { list: [{ start: '2026-01-01', value: 80 }], times: 0.00121, plus: 0.15 }, gas: 2.5 }).should.eql(
        [],
      );
      said({ currency: 'SEK', import: 2.5 }).should.eql([]);
      const [finding] = findingsIn([
        tab,
        demo,
        pricesOf('{"currency":"EUR","export":[{"start":"2026-01-01","value":-5}]}'),
      ]);
      should(finding?.message).containEql('“export[0].value”');
      should(finding === undefined ? null : isWarning(finding)).equal(true);
    });

    for (const [title, node, finding] of wrong) {
      it(`finds ${title}`, () => {
        found(node).should.eql([finding]);
      });
    }

    it('takes an escaped bracket in a regular expression for a part of it', () => {
      const named = (alias: string): string[] => found(realtime({ interval: 0, alias, aliasType: 'jsonata' }));
      named('$replace(payload.name, /\\)/, "")').should.eql([]);
      named('(payload.a / payload.b) & $replace(payload.name, /[\\(\\]]+/, "")').should.eql([]);
      named('$replace(payload.name, /\\)/, ""').should.eql(['wrong_value alias']);
    });

    it('takes a property that is missing for its default', () => {
      found(nodeOf('cemm-format', 'f', { format: undefined, fields: undefined, version: undefined })).should.eql([]);
      found(realtime({ role: undefined, interval: undefined })).should.eql([]);
    });

    it('leaves out what is out of use', () => {
      found(
        nodeOf('cemm-discovery', 'd', { scope: 'monitors', connection: 'house', wait: 1, broadcast: 'x' }),
      ).should.eql([]);
    });

    it('knows that a CEMM 3.0 has no current values', () => {
      const public3 = nodeOf('cemm-connection', 'three', { mode: 'public', host: '192.168.1.5' });
      found(public3, realtime({ connection: 'three' })).should.eql(['wrong_value connection']);
    });

    it('takes a variable for right, and looks at one that the file sets', () => {
      const env = (value: string) => ({ ...tab, env: [{ name: 'METER', value, type: 'str' }] });
      const node = realtime({ alias: '${METER}' });
      findingsIn([tab, demo, node]).should.eql([]);
      findingsIn([env('p1'), demo, node]).should.eql([]);
      findingsIn([env('p 1'), demo, node]).should.have.length(1);
      const group = {
        id: 'g',
        type: 'group',
        z: 'flow',
        env: [{ name: 'METER', value: 'p1', type: 'str' }],
        nodes: ['grid'],
      };
      findingsIn([env('p 1'), demo, group, { ...node, g: 'g' }]).should.eql([]);
    });

    it('says it in one line, with flow, node, field and what to write', () => {
      const [finding] = findingsIn([tab, demo, realtime({ role: 'gird' })]);
      should(finding === undefined ? '' : lineOf(finding)).startWith(
        'House: cemm-realtime “grid”: “role” is no choice. Write “grid”',
      );
    });
  });

  describe('of the place of a node', () => {
    it('finds a node without a flow, and names the only one', () => {
      found(realtime({ z: undefined })).should.eql(['no_flow z → flow']);
      findingsOf([tab, { ...tab, id: 'other' }, demo, realtime({ z: '' })]).should.eql(['no_flow z']);
    });

    it('finds two nodes with one id, if one is of this package', () => {
      found(realtime(), other('debug', 'grid')).should.eql(['same_id id']);
      found(other('debug', 'a'), other('debug', 'a')).should.eql([]);
    });

    it('finds a connection with the id of one of its values, which Node-RED does not start', () => {
      const connection = nodeOf('cemm-connection', 'demo', { mode: 'demo' });
      findingsOf([tab, connection, realtime({ connection: 'demo' })]).should.eql(['same_id id']);
      findingsOf([
        tab,
        { ...connection, mode: 'local', host: 'cemm.local' },
        realtime({ connection: 'demo' }),
      ]).should.eql([]);
    });

    it('finds a node that nothing starts, and none that a wire, a subflow or an interval starts', () => {
      const still = (properties: object = {}): Node => realtime({ interval: 0, ...properties });
      findingsOf([tab, demo, still()]).should.eql(['never_started interval']);
      findingsOf([tab, demo, still({ interval: '0' })]).should.eql(['never_started interval']);
      findingsOf([tab, demo, still({ interval: 10 })]).should.eql([]);
      findingsOf([tab, demo, still({ interval: '${SECONDS}' })]).should.eql([]);
      findingsOf([tab, demo, other('link in', 'l', { wires: [['grid']] }), still()]).should.eql([]);
      const subflow = { id: 'sub', type: 'subflow', in: [{ wires: [{ id: 'grid' }] }], out: [] };
      findingsOf([subflow, demo, still({ z: 'sub' })]).should.eql([]);
      const adding = nodeOf('cemm-balance', 'b', { source: 'messages', interval: 0 });
      findingsOf([tab, demo, adding]).should.eql(['never_started interval']);
      found(adding).should.eql([]);
    });

    it('finds a key in the file, wherever it would be entered', () => {
      const local = nodeOf('cemm-connection', 'local', { mode: 'remote', apiKey: 'the secret' });
      const hook = nodeOf('cemm-webhook-in', 'hook', { hmacKey: 'the secret' });
      found(local).should.eql(['key_in_file apiKey']);
      found(hook).should.eql(['key_in_file hmacKey']);
      const [finding] = findingsIn([local]);
      should(finding?.message)
        .startWith('“apiKey”: keys are entered in the dialog of the node.')
        .and.not.containEql('secret');
    });
  });

  describe('of a format node', () => {
    const format = (fields: string): Node => nodeOf('cemm-format', 'f', { format: 'values', fields });
    const to = (...ids: string[]): Node => realtime({ wires: [ids, []] });

    it('finds a field that no payload has, and names the one that was meant', () => {
      found(to('f'), format('power_imort_w, gas_m3')).should.eql(['unknown_field fields → power_import_w']);
      found(to('f'), format('t1')).should.eql(['unknown_field fields → energy_import_t1_kwh']);
      found(to('f'), format('temperature')).should.matchEach(/^unknown_field fields/);
      found(to('f'), format('temperature')).should.have.length(1);
      found(to('f'), format('power_w gas_m3;cost_total')).should.have.length(1);
      found(to('f'), format('power_w;energy_import_t1_kwh cost peak_power_w')).should.eql([]);
    });

    it('knows every field that a format makes of a balance', () => {
      const balance = nodeOf('cemm-balance', 'b', { connection: 'house', wires: [['f']] });
      const made = 'cost_export_fee cost_peak cost_per_kwh cost_netted from_sun energy_kwh peak_expected_w';
      found(balance, format(made)).should.eql([]);
      found(balance, format('cost_export_fees')).should.eql(['unknown_field fields → cost_export_fee']);
    });

    it('finds only what is nearly right where a delivery may have channels of its owner', () => {
      const hook = nodeOf('cemm-webhook-in', 'hook', { wires: [['f'], []] });
      found(hook, format('temperature, this_day_energy_import_kwh, last_hour_gas_m3')).should.eql([]);
      found(hook, format('this_day_energy_imort_kwh')).should.eql(['unknown_field fields → energy_import_kwh']);
      found(format('temperature')).should.eql([]);
    });

    it('finds a chart without one', () => {
      const chart = (properties: object = {}): Node =>
        other('ui-chart', 'c', { yAxisPropertyType: 'property', ...properties });
      found(to('c'), chart()).should.eql(['no_format wires']);
      found(to('f'), { ...format(''), format: 'chart', wires: [['c']] }, chart()).should.eql([]);
      found(to('x'), other('function', 'x', { wires: [['c']], func: 'return msg;' }), chart()).should.eql([]);
      const value = { yAxisProperty: 'payload.values.power_w', yAxisPropertyType: 'msg' };
      found(to('c'), chart(value)).should.eql([]);
    });
  });

  it('finds the second node on a path, and not one on another port', () => {
    const one = nodeOf('cemm-webhook-in', 'one', { path: '/cemm/:house' });
    const two = (properties: object): Node => nodeOf('cemm-webhook-in', 'two', { path: 'CEMM/a/', ...properties });
    found(one, two({})).should.eql(['path_taken path']);
    found(one, two({ d: true })).should.eql([]);
    found(one, two({ listen: 'own' })).should.eql([]);
    found(two({}), other('http in', 'core', { method: 'post', url: '/cemm/a' })).should.eql(['path_taken path']);
  });

  it('finds the second node on a path that is the default of its type', () => {
    const bare = other('cemm-webhook-in', 'bare', { wires: [[], []] });
    const written = nodeOf('cemm-webhook-in', 'written', { path: '/cemm', listen: 'shared' });
    found(written, bare).should.eql(['path_taken path']);
    found(bare, written).should.eql(['path_taken path']);
    found({ ...bare, listen: 'own' }, ownPort('1881')).should.eql(['path_taken path']);
    found({ ...written, path: '/other' }, bare).should.eql([]);
  });

  describe('of the nodes behind', () => {
    const gauge = (value: string): Node => other('ui-gauge', 'gauge', { value, valueType: 'msg' });
    const wired = (...ids: string[]): Node => realtime({ wires: [ids, []] });

    it('finds a field that is never sent, in every kind of node', () => {
      const name = 'never_sent payload.values.power_imort_w → payload.values.power_import_w';
      const readers = [
        other('ui-gauge', 'n', { value: 'payload.values.power_imort_w' }),
        other('switch', 'n', { property: 'payload.values.power_imort_w', rules: [] }),
        other('change', 'n', { rules: [{ t: 'set', p: 'payload', to: 'payload.values.power_imort_w', tot: 'msg' }] }),
        other('change', 'n', { rules: [{ t: 'set', p: 'x', to: 'payload.values.power_imort_w = 0', tot: 'jsonata' }] }),
        other('function', 'n', { func: "return { payload: msg.payload.values['power_imort_w'] };" }),
        other('function', 'n', { func: 'const { power_imort_w } = msg.payload.values;\nreturn msg;' }),
        other('template', 'n', { template: '{{payload.values.power_imort_w}} W' }),
      ];
      for (const reader of readers) found(wired('n'), reader).should.eql([name], String(reader['type']));
    });

    it('follows the names that a function gives to parts of the payload', () => {
      const reads = (func: string): string[] => found(wired('f'), other('function', 'f', { func }));
      const wrong = ['never_sent payload.values.power → payload.values.power_w'];
      reads('const { kind, values } = msg.payload;\nreturn { payload: values.power };').should.eql(wrong);
      reads('const { values: now } = msg.payload;\nconst { power: watt } = now;\nreturn { payload: watt };').should.eql(
        wrong,
      );
      reads('const payload = msg.payload;\nreturn { payload: payload.values.power };').should.eql(wrong);
      reads('const { values } = msg.payload;\nreturn { payload: values.power_w };').should.eql([]);
      reads('const { values } = msg.payload;\nconst of = (values) => values.power;\nreturn msg;').should.eql([]);
      reads('const { values } = flow.get("day");\nreturn { payload: values.power };').should.eql([]);
    });

    it('proposes the field of a channel', () => {
      found(wired('gauge'), gauge('payload.values.t1')).should.eql([
        'never_sent payload.values.t1 → payload.values.energy_import_t1_kwh',
      ]);
    });

    it('knows what the meter measures', () => {
      found(wired('gauge'), gauge('payload.values.water_m3')).should.have.length(1);
      found(realtime({ alias: '', wires: [['gauge'], []] }), gauge('payload.values.water_m3')).should.eql([]);
    });

    it('finds a part of the payload that the kind does not have', () => {
      found(wired('gauge'), gauge('payload.value.power_w')).should.eql([
        'never_sent payload.value.power_w → payload.values',
      ]);
      found(realtime({ wires: [[], ['gauge']] }), gauge('payload.values.power_w')).should.have.length(1);
    });

    it('follows wires through other nodes, links and subflows', () => {
      const wrong = gauge('payload.values.power');
      found(wired('s'), other('switch', 's', { wires: [['gauge']] }), wrong).should.have.length(1);
      found(wired('f'), other('function', 'f', { func: 'return msg;', wires: [['gauge']] }), wrong).should.have.length(
        1,
      );
      const links = [other('link out', 'o', { links: ['i'] }), other('link in', 'i', { wires: [['gauge']] })];
      found(wired('o'), ...links, wrong).should.have.length(1);
      const subflow = {
        id: 'sub',
        type: 'subflow',
        in: [{ wires: [{ id: 'rbe' }] }],
        out: [{ wires: [{ id: 'rbe', port: 0 }] }],
      };
      const inside = { ...other('rbe', 'rbe', { wires: [[]] }), z: 'sub' };
      found(
        subflow,
        inside,
        wired('use'),
        other('subflow:sub', 'use', { wires: [['gauge']] }),
        wrong,
      ).should.have.length(1);
    });

    it('stops where another payload is made', () => {
      const wrong = gauge('payload.values.power');
      const set = other('change', 'c', {
        rules: [{ t: 'set', p: 'payload', to: 'x', tot: 'flow' }],
        wires: [['gauge']],
      });
      found(wired('c'), set, wrong).should.eql([]);
      const make = other('function', 'f', {
        func: 'return { payload: { values: { power: 1 } } };',
        wires: [['gauge']],
      });
      found(wired('f'), make, wrong).should.eql([]);
    });

    it('takes what the flow adds itself for right', () => {
      const add = other('change', 'c', {
        rules: [{ t: 'set', p: 'payload.values.power', to: '1', tot: 'num' }],
        wires: [['gauge']],
      });
      found(wired('c'), add, gauge('payload.values.power')).should.eql([]);
    });

    it('finds nothing where one of several nodes sends it', () => {
      const solar = nodeOf('cemm-realtime', 'sun', {
        connection: 'house',
        alias: 's01',
        role: 'production',
        wires: [['gauge'], []],
      });
      found(wired('gauge'), solar, gauge('payload.values.power_production_w')).should.eql([]);
    });
  });

  describe('of the file', () => {
    const refuse = (text: string, message: RegExp): void => {
      (() => readFlowFile(Buffer.from(text))).should.throw(FlowFileError, { message });
    };

    it('reads a list, and the object of the admin API', () => {
      readFlowFile(Buffer.from('[{"id":"a","type":"tab"}]')).nodes.should.have.length(1);
      readFlowFile(Buffer.from('{"rev":"1","flows":[{"id":"a","type":"tab"}]}')).nodes.should.have.length(1);
    });

    it('refuses what is no flow', () => {
      refuse('{"a":1}', /no list of nodes/);
      refuse('[{', /not JSON/);
      refuse(`${'['.repeat(40)}${']'.repeat(40)}`, /deeper/);
      refuse(' '.repeat(20_000_001), /larger/);
    });

    it('takes names of Object.prototype for types and properties that nobody knows', () => {
      for (const name of prototypeNames) {
        const node = JSON.parse(
          `{"id":"${name}","type":"${name}","z":"flow","wires":[["${name}"],["grid"]]}`,
        ) as object;
        const own = JSON.parse(`{"${name}":"${name}"}`) as object;
        found(node, realtime({ wires: [[name], []] })).should.eql([], name);
        if (name === '__proto__') continue;
        found(realtime(own)).should.eql([`unknown_property ${name}`], name);
        found(realtime({ connection: name }), node).should.matchAny(/^no_connection connection/);
      }
    });

    it('refuses a list without nodes, and one with an entry that is none', () => {
      refuse('[]', /is empty/);
      refuse('{"flows":[]}', /is empty/);
      for (const entry of ['null', '1', '"x"', '{"id":1,"type":"tab"}', '{"id":"a"}', '[]']) {
        refuse(`[{"id":"a","type":"tab","wires":7},${entry}]`, /Entry 2 of the list is not a node/);
      }
    });
  });

  it('proposes the nearest name, and none where nothing is near', () => {
    should(closest('intervall', ['interval', 'role'])).equal('interval');
    should(closest('energyImportKwh', ['energy_import_kwh', 'energy_export_kwh'])).equal('energy_import_kwh');
    should(closest('xyz', ['interval', 'role'])).be.null();
  });
});
