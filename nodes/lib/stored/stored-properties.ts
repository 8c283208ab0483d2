/**
 * The stored properties of a node, parsed once at its start with the rules that its dialog and cemm-check-flow use. A value
 * outside its rule is CONFIG, which names the property.
 */
import { CemmError } from '../../../src/errors';
import { readNumber } from '../../../src/checks/limits';
import { isRecord } from '../../../src/checks/record';
import type { ConnectionMode } from '../../cemm-connection/config';
import { type ConfigOf, defaultsOf } from './config';
import { holdsVariable } from '../editor/checks';
import {
  type AnyRules,
  type CheckName,
  checkText,
  counts,
  type FieldProblem,
  type FieldRule,
  holds,
  interval,
  intervalFloor,
  messageProperty,
  type RuleCheck,
  type RuledNode,
} from './field-rules';
import { migrated } from './migrate';
import { asCemmError } from '../run/node-error';

/** The checks that rules name, except those of texts that the node parses itself. */
type ChecksOf<Rules> = {
  [Property in keyof Rules]: Rules[Property] extends { readonly parsedByNode: true }
    ? never
    : Rules[Property] extends { readonly check: infer Name extends CheckName }
      ? Name
      : never;
}[keyof Rules];

export interface PropertyParser<Rules> {
  readonly rules: Rules;
  readonly checks: Readonly<Record<ChecksOf<Rules>, RuleCheck>>;
  /** Replaces `${ENV}` in the text of a number. */
  readonly expand: (text: string) => string;
  /** Reason of the error of a property whose rule has none; default `property`. */
  readonly reason?: 'property' | 'connection_property';
}

type Mode = ConnectionMode | null;

export interface StoredProperties<Config> {
  /** A value of the right type for each property; the default where the stored one has another type. */
  readonly config: Config;
  /** The first property that cannot be used with a connection of this kind (null: none); null if all can. */
  problem(mode: Mode): CemmError | null;
  /** The property that takes its value from a message; null: none does. */
  messageProperty(mode: Mode): string | null;
}

export function parseProperties<Rules extends AnyRules>(
  { rules, checks, expand, reason = 'property' }: PropertyParser<Rules>,
  stored: { readonly [Property in keyof Rules]?: unknown },
): StoredProperties<ConfigOf<Rules>> {
  const defaults = { ...defaultsOf<AnyRules>(rules), version: Number(rules['version']?.default) };
  const filled: Readonly<Record<string, unknown>> = migrated<{ readonly version: number }>(defaults, stored);
  const missingVariables = new Map<string, CemmError>();
  const mistyped = new Map<string, string>();
  const entries = Object.entries(rules).map(([property, rule]) => {
    try {
      const value = parseValue(rule, filled[property], expand);
      if (value !== null) return [property, value] as const;
      mistyped.set(property, writeText(filled[property]));
    } catch (thrown) {
      missingVariables.set(property, asCemmError(thrown));
    }
    return [property, rule.default] as const;
  });
  const values: Readonly<Record<string, Value>> = Object.fromEntries(entries);
  const problems = new Map<Mode, CemmError | null>();

  function ruledNode(mode: Mode): RuledNode {
    return { mode, textOf: (property) => mistyped.get(property) ?? writeText(values[property]) };
  }

  function findProblem(mode: Mode): CemmError | null {
    const node = ruledNode(mode);
    for (const [property, rule] of Object.entries(rules)) {
      if (!counts(rule, node)) continue;
      // Without the connection that it needs, the node fails anyway.
      if (rule.refersTo === 'cemm-connection' && holds(rule.needed, node) && mode === null) return null;
      const missing = missingVariables.get(property);
      if (missing !== undefined) return missing;
      const problem = checkProperty({ rules, property, rule, node, checks });
      if (problem !== null) return configError(property, rule, problem);
      if (mistyped.has(property)) return configError(property, rule, noSentence);
    }
    return null;
  }

  function configError(property: string, rule: FieldRule, { key, values: words }: FieldProblem): CemmError {
    // The kind of a value is chosen in the field of the value.
    const field = property.replace(/Type$/, '');
    const params = { field, check: key, why: '', ...rule.range, ...words };
    return new CemmError('CONFIG', { reason: rule.reason ?? reason, params });
  }

  return {
    config: values as ConfigOf<Rules>,
    problem(mode) {
      const known = problems.get(mode);
      const problem = known === undefined ? findProblem(mode) : known;
      problems.set(mode, problem);
      return problem?.copy() ?? null;
    },
    messageProperty: (mode) => messageProperty(rules, ruledNode(mode)),
  };
}

/** The dialog has no sentence for a choice that it does not offer. */
const choiceSentence = 'error.INPUT_period';

/** A value that the dialog has no sentence for. */
const noSentence: FieldProblem = { key: '' };

type Value = string | number | boolean | readonly unknown[];

/**
 * A value of the type of the rule; null if the stored one has another type.
 * @throws {CemmError} CONFIG `env_not_set`
 */
function parseValue(rule: FieldRule, stored: unknown, expand: (text: string) => string): Value | null {
  switch (rule.is) {
    case 'boolean':
      if (typeof stored === 'boolean') return stored;
      return stored === 'true' || stored === 'false' ? stored === 'true' : null;
    case 'list':
      return Array.isArray(stored) ? stored.map((row: unknown) => row) : null;
    case 'number':
      return parseNumber(rule, typeof stored === 'string' ? expand(stored) : stored);
    case 'text': {
      const text = parseText(rule, stored);
      if (text === null) return null;
      if (rule.replacesVariables === true) return expand(text);
      return rule.values === undefined || rule.typed !== undefined || rule.values.includes(text) ? text : null;
    }
  }
}

function parseText(rule: FieldRule, stored: unknown): string | null {
  if (typeof stored === 'string') return stored;
  if (typeof stored === 'number') return String(stored);
  // Node-RED puts the value of a variable in place of its name: an object, if the type of the variable is JSON.
  return rule.check === 'prices' && isRecord(stored) ? JSON.stringify(stored) : null;
}

function parseNumber(rule: FieldRule, stored: unknown): number | string | null {
  const isBlank = typeof stored === 'string' && stored.trim() === '';
  // Without an interval, a node reads only on input.
  if (isBlank && rule.isInterval === true) return 0;
  return isBlank && rule.blank === true ? '' : readNumber(stored);
}

interface Checked {
  readonly rules: AnyRules;
  readonly property: string;
  readonly rule: FieldRule;
  readonly node: RuledNode;
  readonly checks: Partial<Readonly<Record<CheckName, RuleCheck>>>;
}

function checkProperty({ rules, property, rule, node, checks }: Checked): FieldProblem | null {
  const text = node.textOf(property);
  if (rule.isInterval === true) return withoutTrue(interval(intervalFloor(node))(text));
  if (rule.refersTo !== undefined || rule.parsedByNode === true) return null;
  const kind = rule.typed === undefined ? 'str' : node.textOf(`${property}Type`);
  const isOwn = rule.typed?.includes(kind) === true;
  if (isOwn && rule.checksKind !== true) return null;
  if (!isOwn && kind !== 'str') return text.trim() === '' ? noSentence : null;
  if (holdsVariable(text)) return null;
  if (rule.values?.includes(text) === false)
    return { key: choiceSentence, values: { periods: writeWords(rule.values) } };
  return withoutTrue(checkText(rules, rule, text, node, checks));
}

function withoutTrue(result: FieldProblem | true): FieldProblem | null {
  return result === true ? null : result;
}

/** As the checks read a value: a list as JSON, and nothing of another object. */
function writeText(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

function writeWords(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(', ');
}
