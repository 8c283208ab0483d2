/**
 * The rules of a stored property, once per property in the config.ts of its node. Type and default follow from them, the dialog checks its fields by them,
 * cemm-check-flow checks flow files, and the JSON Schemas of the node types are generated from them.
 */
import { smallest } from '../../../src/checks/extremes';
import {
  intervalFloors,
  isInterval,
  mostIntervalSeconds,
  readNumber,
  searchIntervalFloor,
} from '../../../src/checks/limits';

/** The checks that a rule can name. Dialogs and cemm-check-flow supply the functions; a dialog only those that it needs. */
export type CheckName =
  | 'alias'
  | 'baseUrl'
  | 'battery'
  | 'bind'
  | 'broadcast'
  | 'channel'
  | 'count'
  | 'date'
  | 'day'
  | 'end'
  | 'headerName'
  | 'host'
  | 'contracts'
  | 'houseMeters'
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
  | 'views'
  | 'word';

/** Property → accepted values. All properties have to match. */
export type Conditions = Readonly<Record<string, readonly string[]>>;

export interface FieldRule {
  /** `list`: of objects; its check gets them as JSON. */
  readonly is: 'text' | 'number' | 'boolean' | 'list';
  /** In a new node, and for a property that a stored node lacks. */
  readonly default: string | number | boolean | readonly never[];
  /** The only accepted values. */
  readonly values?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
  readonly check?: CheckName;
  /** The property may be blank; the check applies to other values. */
  readonly blank?: true | Conditions;
  /** The node parses the text itself, after its variables are replaced, and has a sentence for each flaw. */
  readonly parsedByNode?: true;
  /** The variables in the text are replaced at the start of the node; otherwise the node replaces them with each use. */
  readonly replacesVariables?: true;
  /** Reason of the error of the node, if its sentence differs from that for all properties. */
  readonly reason?: string;
  /** Sentence key for a blank field, if it differs from the check's sentence. */
  readonly missing?: string;
  /** The kind of value is stored in a twin, `monitorType` for `monitor`. These kinds have no value. */
  readonly typed?: readonly string[];
  /** The check also applies to those kinds. */
  readonly checksKind?: true;
  /** Seconds between two polls. */
  readonly isInterval?: true;
  readonly refersTo?: 'cemm-connection' | 'tls-config';
  /** A reference to a node is required. */
  readonly needed?: true | Conditions;
  /** Sentence key with the alternative, if a connection to a CEMM 3.0 cannot be used. */
  readonly notPublic?: string;
  /** Such a connection cannot be used under these conditions only. */
  readonly notPublicWhen?: Conditions;
  /** The rule applies under these conditions only: a hidden property is unused. */
  readonly when?: Conditions;
  readonly unless?: Conditions;
  /** The rule applies only to a connection to a CEMM 3.0 (`public`), or only to any other (`open`). */
  readonly connection?: 'public' | 'open';
}

export type AnyRules = Readonly<Record<string, FieldRule>>;

export interface FieldProblem {
  /** Key of the sentence in the catalogue. */
  readonly key: string;
  readonly values?: Record<string, string | number>;
}

export type CheckResult = true | FieldProblem;

/** The node to check: its stored properties, or its fields while its dialog is open. */
export interface RuledNode {
  textOf(property: string): string;
  /** Mode of the referenced connection; null if unknown. */
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

/** Smallest interval of a node in seconds; the smallest of all for an unknown connection. */
export function intervalFloor(node: RuledNode): number {
  if (node.textOf('scope') === 'network') return searchIntervalFloor;
  const { mode } = node;
  const floors: Readonly<Record<string, number>> = intervalFloors;
  return (mode === null ? undefined : own(floors, mode)) ?? smallest(Object.values(floors));
}

/** Accepts a plain decimal number within the range, including both ends. */
export function numberBetween(min: number, max: number): (text: string) => CheckResult {
  return (text) => {
    const number = readNumber(text);
    return number !== null && number >= min && number <= max
      ? true
      : { key: 'check.numberBetween', values: { min, max } };
  };
}

/** Accepts 0 (only on input), or seconds from the floor up to one day. */
export function interval(floor: number): (text: string) => CheckResult {
  return (text) => {
    const values = { floor, longest: mostIntervalSeconds };
    const seconds = readNumber(text);
    if (seconds === null || seconds < 0 || seconds > mostIntervalSeconds)
      return { key: 'check.intervalNumber', values };
    return isInterval(seconds, floor) ? true : { key: 'check.intervalFloor', values };
  };
}

/** The property that takes its value from a message, which a polling node does not have; null: none does. */
export function messageProperty(rules: AnyRules, node: RuledNode): string | null {
  const found = Object.entries(rules).find(
    ([name, rule]) => rule.typed !== undefined && counts(rule, node) && node.textOf(`${name}Type`) === 'msg',
  );
  return found?.[0] ?? null;
}

function checkInterval(rules: AnyRules, text: string, node: RuledNode): CheckResult {
  const result = interval(intervalFloor(node))(text);
  if (result !== true || Number(text) === 0 || messageProperty(rules, node) === null) return result;
  return { key: 'check.intervalNeedsMessage' };
}

/** Checks the text of a property by its rule. References are not followed, and expressions are not evaluated. */
export function checkText(
  rules: AnyRules,
  rule: FieldRule,
  text: string,
  node: RuledNode,
  checks: Partial<Readonly<Record<CheckName, RuleCheck>>>,
): CheckResult {
  if (rule.isInterval === true) return checkInterval(rules, text, node);
  if (text.trim() === '' && rule.missing !== undefined) return { key: rule.missing };
  if (text.trim() === '' && holds(rule.blank, node)) return true;
  if (rule.range !== undefined) return numberBetween(rule.range.min, rule.range.max)(text);
  if (rule.check === undefined) return true;
  return checks[rule.check]?.(text, node) ?? true;
}

/** Reads a table entry by an external name: `constructor` is found only if the table lists it. */
export function own<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
