/** Statuses and sentences name a field as its dialog does, in every language. */
import path from 'node:path';
import should from 'should';
import { mostStatusCharacters, errorStatus } from '../../../nodes/lib/run/status';
import type { TextParams, Translate } from '../../../nodes/lib/run/translate';
import {
  readTypeCatalogue,
  flatten,
  type Language,
  languages,
  readRuntimeCatalogue,
} from '../../../scripts/build/catalogue';
import { CemmError, type ErrorCode } from '../../../src/errors';

const root = path.resolve(__dirname, '../../..');

/** Translations of a node type, as in translate.ts. */
function translateOf(type: string, language: Language): Translate {
  const own = flatten(readTypeCatalogue(root, type, language));
  const shared = flatten(readTypeCatalogue(root, 'cemm-connection', language));
  return (key, words: TextParams = {}) => {
    const name = key.replace('cemm-connection:', '');
    const text = (name === key ? own.get(name) : undefined) ?? shared.get(name);
    return text?.replace(/__(\w+?)__/g, (_blank, word: string) => String(words[word] ?? '?')) ?? null;
  };
}

function statusOf(type: string, language: Language, code: ErrorCode, reason: string, params: TextParams = {}): string {
  return errorStatus(new CemmError(code, { reason, params }), translateOf(type, language)).text ?? '';
}

const named: readonly (readonly [type: string, reason: string, field: string])[] = [
  ['cemm-realtime', 'no_key', 'Open API key'],
  ['cemm-realtime', 'host_blank', 'Address'],
  ['cemm-totals', 'host_port', 'Address'],
  ['cemm-realtime', 'base_version', 'Service'],
  ['cemm-realtime', 'mac', 'MAC address'],
  ['cemm-realtime', 'timezone', 'Time zone'],
  ['cemm-realtime', 'deadline', 'Wait at most'],
  ['cemm-realtime', 'shard', 'Shard'],
  ['cemm-realtime', 'mode_public', 'Connect via'],
  ['cemm-realtime', 'interval', 'Read every'],
  ['cemm-realtime', 'alias', 'Meter'],
  ['cemm-realtime', 'several_monitors', 'Monitor'],
  ['cemm-totals', 'not_a_day', 'Day'],
  ['cemm-series', 'no_channel', 'Channel'],
  ['cemm-series', 'several_channels', 'Meter'],
  ['cemm-series', 'resolution', 'One value per'],
  ['cemm-discovery', 'broadcast', 'Broadcast'],
  ['cemm-discovery', 'also_try', 'Also try'],
];

describe('the status of a wrong setting', () => {
  for (const [type, reason, field] of named) {
    it(`names ${field} for ${reason}`, () => {
      should(statusOf(type, 'en-US', 'CONFIG', reason)).equal(`check: ${field}`);
    });
  }

  it('names the field that the error names', () => {
    should(statusOf('cemm-totals', 'nl', 'INPUT', 'not_a_date', { field: 'date' })).equal('controleer: Dag');
    should(statusOf('cemm-series', 'de', 'INPUT', 'not_a_date', { field: 'to' })).equal('prüfen: Bis einschließlich');
    should(statusOf('cemm-series', 'en-US', 'INPUT', 'not_a_date', { field: 'msg.since' })).equal('check: msg.since');
  });

  it('says what is wrong where that is no field', () => {
    should(statusOf('cemm-series', 'nl', 'CONFIG', 'no_connection')).equal('geen verbinding gekozen');
    should(statusOf('cemm-series', 'en-US', 'INPUT', 'not_begun', { field: 'date', date: '2026-12-01' })).equal(
      '2026-12-01 is in the future',
    );
    should(statusOf('cemm-realtime', 'fr', 'NETWORK', 'no_internet')).equal('pas de connexion à internet');
    should(statusOf('cemm-format', 'en-US', 'INPUT', 'unheard_of')).equal('check the message');
  });

  for (const language of languages) {
    it(`is not cut off in ${language}`, () => {
      const fields = named.map(([type, reason]) => statusOf(type, language, 'CONFIG', reason));
      const parts = ['from', 'to', 'date'].map((field) => statusOf('cemm-series', language, 'INPUT', 'x', { field }));
      const shared = flatten(readRuntimeCatalogue(root, language));
      const fixed = [...shared]
        .filter(([key, text]) => /^status\.[A-Z]+_/.test(key) && !text.includes('__name__'))
        .map(([, text]) => text.replace('__date__', '2026-12-01'));
      fixed.length.should.be.above(10);
      [...fields, ...parts, ...fixed].filter((text) => Array.from(text).length > mostStatusCharacters).should.eql([]);
    });
  }
});

describe('the sentence of an error', () => {
  const labelsOf = (language: Language): Map<string, string> =>
    new Map(
      [
        ...flatten(readTypeCatalogue(root, 'cemm-connection', language)),
        ...flatten(readTypeCatalogue(root, 'cemm-series', language)),
      ].filter(([key]) => /^(field|form)\.\w+$/.test(key)),
    );
  const english = [...flatten(readRuntimeCatalogue(root, 'en-US'))].filter(([key]) => key.startsWith('error.'));

  it('speaks of no host, base address, deadline or alias', () => {
    const technical = english.filter(([, text]) =>
      /\bhost\b(?! networking)|base address|deadline|\balias\b/.test(text),
    );
    technical.should.eql([]);
  });

  for (const language of languages.slice(1)) {
    it(`quotes in ${language} the same fields as in English, by their names there`, () => {
      const ours = labelsOf(language);
      const keys = new Map([...labelsOf('en-US')].map(([key, label]) => [label, key]));
      const sentences = flatten(readRuntimeCatalogue(root, language));
      const missing: string[] = [];
      let quoted = 0;
      for (const [key, text] of english) {
        for (const [, label = ''] of text.matchAll(/“([^“”]+)”/g)) {
          const field = keys.get(label);
          if (field === undefined) continue;
          quoted += 1;
          const name = ours.get(field) ?? '?';
          const plain = (sentences.get(key) ?? '').replaceAll(/[„«]\s?|\s?»|[“”]/g, '"');
          if (!plain.includes(`"${name}"`)) missing.push(`${key}: ${name}`);
        }
      }
      missing.should.eql([]);
      quoted.should.be.above(50);
    });
  }
});
