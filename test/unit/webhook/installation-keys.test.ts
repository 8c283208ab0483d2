import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node, NodeAPI } from 'node-red';
import should from 'should';
import { sharesKey } from '../../../nodes/cemm-webhook-in/config';
import { createKeyLookup, ownVariables } from '../../../nodes/cemm-webhook-in/key-lookup';
import type { NodeStatus } from 'node-red';
import { Reporter } from '../../../nodes/cemm-webhook-in/reporter';
import { findInStore, type InstallationKeys } from '../../../src/webhook/keys';
import { createPathPattern } from '../../../src/webhook/path-pattern';

const proof = { hmac: true, hmacKeyFromType: 'credential', hmacKeyFrom: '', header: false, query: false };

describe('a key store', () => {
  const store = {
    'house-1': { key: 'key of house-1', previous: 'key before it', note: 'public text' },
    'house-2': 'key of house-2',
    street: { 'house-3': 'key of house-3' },
  };

  it('finds the key of an installation as a text or in an entry, at any level', () => {
    should(findInStore(store, ['house-1'])?.current).equal('key of house-1');
    should(findInStore(store, ['house-2'])?.current).equal('key of house-2');
    should(findInStore(store, ['street', 'house-3'])?.current).equal('key of house-3');
    should(findInStore('the key of the node', [])?.current).equal('the key of the node');
  });

  it('WA30: does not accept a text inside an entry as a key', () => {
    for (const name of ['key', 'previous', 'note']) {
      should(findInStore(store, ['house-1', name])).be.null();
      should(findInStore(store['house-1'], [name])).be.null();
    }
  });

  it('finds nothing that is inherited, missing or too deep', () => {
    for (const names of [
      ['toString'],
      ['house-9'],
      ['street'],
      ['house-2', '0'],
      ['house-2', 'length'],
      ['constructor', 'name'],
    ]) {
      should(findInStore(store, names)).be.null();
    }
  });
});

describe('one key for all installations of a path', () => {
  it('WA29: is detected wherever a key that all use meets a parameter, also cemm', () => {
    for (const path of ['/cemm/:installation', '/cemm/:installation/:cemm', '/cemm/:cemm']) {
      sharesKey(path, proof).should.be.true(path);
      sharesKey(path, { ...proof, hmac: false, header: true }).should.be.true(path);
      sharesKey(path, { ...proof, hmac: false, query: true }).should.be.true(path);
      sharesKey(path, { ...proof, hmacKeyFromType: 'env', hmacKeyFrom: 'CEMM_KEY' }).should.be.true(path);
      sharesKey(path, { ...proof, hmac: false }).should.be.false(path);
      sharesKey(path, { ...proof, hmacKeyFromType: 'global', hmacKeyFrom: 'keys' }).should.be.false(path);
    }
    sharesKey('/cemm', proof).should.be.false();
    const fromVariable = { ...proof, hmacKeyFromType: 'env', hmacKeyFrom: 'CEMM_KEY_${installation}' };
    sharesKey('/cemm/:installation', fromVariable).should.be.false();
    sharesKey('/cemm/:installation/:cemm', fromVariable).should.be.false();
  });

  it('WA29: is shown in the status, before and after a delivery', () => {
    const shown: NodeStatus[] = [];
    const runner = {
      translate: (key: string): string => key,
      status: (status: NodeStatus): void => void shown.push(status),
      report: (): void => undefined,
    };
    const reporter = new Reporter(runner, { warn: () => undefined });
    const accepted = { word: 'accepted', keyUsed: 'current' } as const;
    reporter.showWaiting('sharedKey');
    reporter.showOutcome(accepted, 0, 'UTC', 'sharedKey');
    reporter.showWaiting(null);
    reporter.showOutcome(accepted, 0, 'UTC', null);
    shown.should.eql([
      { fill: 'yellow', shape: 'ring', text: 'state.waitingSharedKey' },
      { fill: 'yellow', shape: 'dot', text: 'state.receivedSharedKey' },
      { fill: 'grey', shape: 'ring', text: 'state.waiting' },
      { fill: 'green', shape: 'dot', text: 'state.received' },
    ]);
  });
});

describe('a variable for each installation', () => {
  it('is never one of the package or of Node-RED, whatever the installation is called', () => {
    const asked: string[] = [];
    const util = {
      getSetting: (_node: unknown, name: string) => {
        asked.push(name);
        return '1881';
      },
    };
    const keysFor = (text: string, house: string): InstallationKeys | null => {
      const node: Partial<Node> = {};
      const find = createKeyLookup(
        { util } as unknown as Pick<NodeAPI, 'util'>,
        node as Node,
        { keyStore: { type: 'env', text }, path: '/x/:installation' },
        () => undefined,
      );
      const match = createPathPattern('/x/:installation')?.match(`/x/${house}`) ?? null;
      let keys: InstallationKeys | null = null;
      if (match?.kind !== 'invalid') find?.(match, (found) => (keys = found));
      return keys;
    };
    for (const name of ownVariables) should(keysFor('CEMM_${installation}', name.replace('CEMM_', ''))).be.null();
    // On Windows, variables are case-insensitive.
    should(keysFor('CEMM_${installation}', 'receiver_port')).be.null();
    should(keysFor('CEMM_RECEIVER_${installation}', 'PORT')).be.null();
    should(keysFor('NR_${installation}', 'FLOW_ID')).be.null();
    asked.should.be.empty();
    should(keysFor('CEMM_${installation}', 'house-1')?.current).equal('1881');
    asked.should.eql(['CEMM_house-1']);
  });

  it('is checked against every variable that code, examples and documents name', () => {
    const named = ['src', 'nodes', 'examples', 'docs'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|json|md|js|cfg|html|conf)$/.test(file))
        .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\bCEMM_[A-Z]+(?:_[A-Z]+)*\b/g) ?? []),
    );
    // Variables that hold a key on purpose, or that tests use.
    const others = [
      'CEMM_KEY',
      'CEMM_HMAC_KEY',
      'CEMM_FLEET',
      'CEMM_HOUSES',
      'CEMM_HOUSE_SEED',
      'CEMM_HOUSE_DAYS',
      'CEMM_KILLS',
      'CEMM_MOCKUP',
      'CEMM_POWER_SAVER',
    ];
    should([...new Set(named)].filter((name) => !others.includes(name) && !ownVariables.includes(name))).eql([]);
  });
});

describe('a short key', () => {
  it('WA31: causes a warning and is used', () => {
    const values: Readonly<Record<string, string>> = { 'KEY_house-1': 'short', 'KEY_house-2': 'x'.repeat(32) };
    const util = { getSetting: (_node: unknown, name: string) => values[name] };
    const warned: string[] = [];
    const node: Partial<Node> = {};
    const find = createKeyLookup(
      { util } as unknown as Pick<NodeAPI, 'util'>,
      node as Node,
      { keyStore: { type: 'env', text: 'KEY_${installation}' }, path: '/x/:installation' },
      (about) => warned.push(about),
    );
    const keysOf = (house: string): InstallationKeys | null => {
      const sender = createPathPattern('/x/:installation')?.match(`/x/${house}`) ?? null;
      let keys: InstallationKeys | null = null;
      if (sender?.kind !== 'invalid') find?.(sender, (found) => (keys = found));
      return keys;
    };
    should(keysOf('house-2')?.current).equal('x'.repeat(32));
    should(keysOf('house-9')).be.null();
    warned.should.be.empty();
    should(keysOf('house-1')?.current).equal('short');
    warned.should.eql(['shortKey']);
  });
});
