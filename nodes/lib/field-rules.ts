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
  | 'day'
  | 'end'
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
  /** Key of the sentence for a blank field, where it is another one than that of the check. */
  readonly missing?: string;
  /** The kind of value is stored in a twin, `monitorType` for `monitor`. These kinds hold no value of their own. */
  readonly typed?: readonly string[];
  /** The check looks at those kinds, too. */
  readonly checksKind?: true;
  /** Seconds between two polls. */
  readonly isInterval?: true;
  readonly refersTo?: 'cemm-connection' | 'tls-config';
  /** A node has to be referred to. */
  readonly needed?: true | Conditions;
  /** Where a connection is needed, one to a CEMM 3.0 cannot be used: key of the sentence that says what to do. */
  readonly notPublic?: string;
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
  return (mode === null ? undefined : own(floors, mode)) ?? Math.min(...Object.values(floors));
}

/** A plain decimal number inside the range, both ends included. */
export function numberBetween(min: number, max: number): (text: string) => CheckResult {
  return (text) => {
    const number = readNumber(text);
    return number !== null && number >= min && number <= max
      ? true
      : { key: 'check.numberBetween', values: { min, max } };
  };
}

/** Seconds up to a day: 0 (only on input) or at least the floor. */
export function interval(floor: number): (text: string) => CheckResult {
  return (text) => {
    const seconds = readNumber(text);
    if (seconds === null || seconds < 0 || seconds > mostIntervalSeconds) return { key: 'check.intervalNumber' };
    return isInterval(seconds, floor) ? true : { key: 'check.intervalFloor', values: { floor } };
  };
}

/** A node that polls has no message to take a value from. */
function intervalOf(rules: AnyRules, text: string, node: RuledNode): CheckResult {
  const result = interval(intervalFloor(node))(text);
  if (result !== true || Number(text) === 0) return result;
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
  if (rule.isInterval === true) return intervalOf(rules, text, node);
  if (text.trim() === '' && rule.missing !== undefined) return { key: rule.missing };
  if (text.trim() === '' && holds(rule.blank, node)) return true;
  if (rule.range !== undefined) return numberBetween(rule.range.min, rule.range.max)(text);
  if (rule.check === undefined) return true;
  return checks[rule.check]?.(text, node) ?? true;
}

/** An entry of a table by a name from outside: `constructor` is in no table that does not list it. */
export function own<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
