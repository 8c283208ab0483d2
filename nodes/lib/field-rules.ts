/**
 * What a stored property may hold, said once per property in the config.ts of its node: the dialog checks its fields by these
 * rules, cemm-check-flow the nodes of a flow file, and the JSON Schemas of the node types are made from them.
 */
import { intervalFloors, isInterval, mostIntervalSeconds, readNumber, searchIntervalFloor } from '../../src/limits';

/** The checks that a rule can name. Dialogs and cemm-check-flow bring the functions: a dialog only those that it needs. */
export type CheckName =
  | 'alias'
  | 'baseUrl'
  | 'bind'
  | 'broadcast'
  | 'channel'
  | 'count'
  | 'date'
  | 'headerName'
  | 'host'
  | 'key'
  | 'keyFrom'
  | 'mac'
  | 'meters'
  | 'monitors'
  | 'path'
  | 'port'
  | 'prices'
  | 'proof'
  | 'queryName'
  | 'shard'
  | 'timezone'
  | 'word';

/** Property → the values of which it has one; all of them have to hold. */
export type Conditions = Readonly<Record<string, readonly string[]>>;

export interface FieldRule {
  readonly is: 'text' | 'number' | 'boolean';
  /** The only values that are known. */
  readonly values?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
  readonly check?: CheckName;
  /** What is checked may be left blank. */
  readonly blank?: true | Conditions;
  /** The kind of value is stored in a twin, `monitorType` for `monitor`. These kinds hold no value of their own. */
  readonly typed?: readonly string[];
  /** Seconds between two polls. */
  readonly isInterval?: true;
  readonly refersTo?: 'cemm-connection' | 'tls-config';
  /** A node has to be referred to. */
  readonly needed?: true | Conditions;
  /** A connection to a CEMM 3.0 cannot be used. */
  readonly notPublic?: true | Conditions;
  /** Where the property counts: what is out of sight is out of use. */
  readonly when?: Conditions;
  readonly unless?: Conditions;
  /** It counts only with a connection to a CEMM 3.0, or only with any other. */
  readonly connection?: 'public' | 'open';
  /** Version of the stored properties that brought it; absent: the first one. */
  readonly since?: number;
}

export type FieldRules<Config> = Readonly<Record<keyof Config & string, FieldRule>>;
export type AnyRules = Readonly<Record<string, FieldRule>>;

export interface FieldProblem {
  /** Of the sentence in the catalogue. */
  readonly key: string;
  readonly values?: Record<string, string | number>;
}

export type CheckResult = true | FieldProblem;

/** The node that is checked: what its properties hold, or its fields while its dialog is open. */
export interface RuledNode {
  textOf(property: string): string;
  /** Mode of the connection that it refers to; null where none is known. */
  readonly mode: string | null;
}

export type RuleCheck = (text: string, node: RuledNode) => CheckResult;

export function holds(conditions: true | Conditions | undefined, node: RuledNode): boolean {
  if (conditions === undefined || conditions === true) return conditions === true;
  return Object.entries(conditions).every(([property, values]) => values.includes(node.textOf(property)));
}

export function counts(rule: FieldRule, node: RuledNode): boolean {
  if (rule.connection !== undefined && (rule.connection === 'public') !== (node.mode === 'public')) return false;
  return (rule.when === undefined || holds(rule.when, node)) && !holds(rule.unless, node);
}

/** The smallest interval of a node, in seconds; the lowest of all where it is not known what is polled. */
export function intervalFloor(node: RuledNode): number {
  if (node.textOf('scope') === 'network') return searchIntervalFloor;
  const { mode } = node;
  const floors: Readonly<Record<string, number>> = intervalFloors;
  return (mode === null ? undefined : floors[mode]) ?? Math.min(...Object.values(floors));
}

/** Seconds up to a day: 0 (only on input) or at least the floor; a node that polls has no message to take a value from. */
export function checkInterval(rules: AnyRules, text: string, node: RuledNode): CheckResult {
  const seconds = readNumber(text);
  if (seconds === null || seconds < 0 || seconds > mostIntervalSeconds) return { key: 'check.intervalNumber' };
  const floor = intervalFloor(node);
  if (!isInterval(seconds, floor)) return { key: 'check.intervalFloor', values: { floor } };
  if (seconds === 0) return true;
  const needsMessage = Object.entries(rules).some(
    ([name, rule]) => rule.typed !== undefined && counts(rule, node) && node.textOf(`${name}Type`) === 'msg',
  );
  return needsMessage ? { key: 'check.intervalNeedsMessage' } : true;
}

/**
 * What is wrong with the text of a property, as far as its rule says: not whether a reference leads anywhere, nor whether
 * an expression can be evaluated.
 */
export function checkText(
  rules: AnyRules,
  rule: FieldRule,
  text: string,
  node: RuledNode,
  checks: Partial<Readonly<Record<CheckName, RuleCheck>>>,
): CheckResult {
  if (rule.isInterval === true) return checkInterval(rules, text, node);
  if (rule.range !== undefined) {
    const { min, max } = rule.range;
    const number = readNumber(text);
    return number !== null && number >= min && number <= max
      ? true
      : { key: 'check.numberBetween', values: { min, max } };
  }
  if (rule.check === undefined || (text.trim() === '' && holds(rule.blank, node))) return true;
  return checks[rule.check]?.(text, node) ?? true;
}
