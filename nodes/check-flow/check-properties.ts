/** Finds unknown properties of a node of this package, and unusable values. */
import * as channels from '../cemm-series/channel-checks';
import { battery, meters } from '../cemm-balance/field-checks';
import { contracts } from '../cemm-connection/contracts-check';
import { houseMeters } from '../cemm-connection/meters-check';
import { views } from '../cemm-page/views-check';
import { day } from '../cemm-totals/day-check';
import * as webhook from '../cemm-webhook-in/field-checks';
import * as shared from '../lib/editor/checks';
import { pricesCheck } from '../lib/editor/prices/checks';
import {
  type CheckName,
  checkText,
  type CheckResult,
  counts,
  type FieldRule,
  holds,
  type RuleCheck,
} from '../lib/stored/field-rules';
import { closest } from '../../src/checks/closest';
import { checkPrices } from './check-prices';
import type { Complaint } from './finding';
import { type FlowFile, type FlowNode, readPropertyText, variable } from './flow-file';
import { commonProperties, fillDefaults, type NodeType, placedProperties } from './node-types';

/** A sentence of the dialog of a type, in English. */
export type Sentence = (type: string, key: string, values?: Readonly<Record<string, string | number>>) => string;

const { alias, baseUrl, broadcast, date, end, host, mac, shard, timezone } = shared;
/** The checks of the dialogs that need no text. */
const plainChecks: Readonly<Record<Exclude<CheckName, 'prices'>, RuleCheck>> = {
  alias,
  baseUrl,
  broadcast,
  date,
  end,
  host,
  mac,
  shard,
  timezone,
  ...webhook,
  ...channels.channelChecks,
  battery,
  contracts,
  day,
  houseMeters,
  meters,
  views,
};

/** Every check that a rule can name, with the functions of the dialogs. */
function checksWith(text: (key: string) => string): Readonly<Record<CheckName, RuleCheck>> {
  return { ...plainChecks, prices: pricesCheck(text) };
}

export function checkProperties(node: FlowNode, type: NodeType, file: FlowFile, sentence: Sentence): Complaint[] {
  const unknown = unknownProperties(node, type);
  const meant = new Set(unknown.map(({ instead }) => instead));
  const filled = fillDefaults(node);
  const wrong = Object.entries(type.rules).flatMap(([property, rule]) => {
    const complaint = meant.has(property)
      ? null
      : checkProperty({ node: filled, type, file, sentence, property, rule });
    return complaint === null ? [] : [complaint];
  });
  return [...unknown, ...wrong];
}

function unknownProperties({ properties }: FlowNode, { rules, outputs, credentials }: NodeType): Complaint[] {
  const known = new Set<string>([
    ...Object.keys(rules),
    ...commonProperties,
    ...(outputs === null ? [] : placedProperties),
  ]);
  const absent = Object.keys(rules).filter((property) => properties[property] === undefined);
  return Object.keys(properties).flatMap((field): Complaint[] => {
    if (known.has(field)) return [];
    if (credentials.includes(field)) return [keyInFile(field)];
    const instead = closest(field, absent) ?? closest(field, Object.keys(rules));
    const advice = instead === null ? `It has: ${Object.keys(rules).join(', ')}.` : `Write “${instead}”.`;
    return [{ problem: 'unknown_property', field, message: `there is no property “${field}”. ${advice}`, instead }];
  });
}

/** Node-RED drops a key in a flow file, and everybody who gets the file can read it. */
function keyInFile(field: string): Complaint {
  const message = `“${field}”: keys are entered in the dialog of the node. Node-RED keeps them apart from the flow, so remove it from the file.`;
  return { problem: 'key_in_file', field, message };
}

interface Checked {
  readonly node: FlowNode;
  readonly type: NodeType;
  readonly file: FlowFile;
  readonly sentence: Sentence;
  readonly property: string;
  readonly rule: FieldRule;
}

function checkProperty(checked: Checked): Complaint | null {
  const { node, file, sentence, property, rule } = checked;
  const value = node.properties[property];
  const mistyped = typeComplaint(checked, value);
  if (mistyped !== null) return mistyped;
  const text = (name: string): string => resolved(node, readPropertyText(node, name), file);
  const connection = file.byId.get(text('connection'));
  const ruled = { textOf: text, mode: connection === undefined ? null : readPropertyText(connection, 'mode') };
  if (!counts(rule, ruled)) return null;
  if (rule.refersTo !== undefined && shared.holdsVariable(text(property))) return null;
  if (rule.refersTo !== undefined) {
    const isNeeded = holds(rule.needed, ruled);
    const isRefused = isNeeded && holds(rule.notPublicWhen ?? true, ruled);
    return referenceComplaint(checked, rule, { isNeeded, isRefused }, text(property));
  }
  const kind = rule.typed === undefined ? 'str' : text(`${property}Type`);
  const isOwn = rule.typed?.includes(kind) === true;
  if (isOwn && rule.checksKind !== true) return null;
  if (!isOwn && kind !== 'str' && kind !== '') return typedComplaint(property, text(property), kind);
  if (shared.holdsVariable(text(property)) && rule.check !== 'keyFrom') return null;
  if (rule.check === 'prices' && kind === 'json') return checkPrices(property, text(property));
  if (rule.values !== undefined && !rule.values.includes(text(property))) return choiceComplaint(checked, rule.values);
  const say = (key: string): string => sentence(node.type, key);
  const result = checkText(checked.type.rules, rule, text(property), ruled, checksWith(say));
  return result === true ? null : complaintOf(checked, result);
}

/** Replaces the variables that the file itself sets. */
function resolved(node: FlowNode, text: string, file: FlowFile): string {
  return text.replace(/\$\{([^{}\s]+)\}/g, (whole, name: string) => variable(node, name, file) ?? whole);
}

function complaintOf({ node, sentence, property }: Checked, { key, values }: Exclude<CheckResult, true>): Complaint {
  const problem = key === 'check.noProof' ? 'no_proof' : 'wrong_value';
  return { problem, field: property, message: `“${property}”: ${sentence(node.type, key, values)}` };
}

/** The number as a text, if the node can use that. */
function textMeant(checked: Checked, value: unknown): string | null {
  if (typeof value !== 'number') return null;
  const { node, property } = checked;
  const text = String(value);
  const corrected = { ...node, properties: { ...node.properties, [property]: text } };
  return checkProperty({ ...checked, node: corrected }) === null ? text : null;
}

function typeComplaint(checked: Checked, value: unknown): Complaint | null {
  const { property, rule, type } = checked;
  const complain = (expected: string, instead: unknown): Complaint => {
    const written = JSON.stringify(instead);
    return {
      problem: 'wrong_type',
      field: property,
      instead: written,
      message: `“${property}” has to be ${expected}. Write "${property}": ${written}.`,
    };
  };
  switch (rule.is) {
    case 'boolean':
      if (typeof value === 'boolean') return null;
      return complain(
        'true or false',
        value === 'true' || value === 'false' ? value === 'true' : type.defaults[property],
      );
    case 'number':
      if (typeof value === 'number' || typeof value === 'string') return null;
      return complain('a number', type.defaults[property]);
    case 'list':
      return Array.isArray(value) ? null : complain('a list', type.defaults[property]);
    case 'text':
      if (typeof value === 'string') return null;
      return complain('a text', textMeant(checked, value) ?? type.defaults[property]);
  }
}

function choiceComplaint({ node, property }: Checked, values: readonly string[]): Complaint {
  const instead = closest(readPropertyText(node, property), values);
  const list = values.map((value) => (value === '' ? 'blank' : `“${value}”`)).join(', ');
  const advice = instead === null ? `It is one of ${list}.` : `Write “${instead}”, or one of ${list}.`;
  return { problem: 'wrong_value', field: property, message: `“${property}” is no choice. ${advice}`, instead };
}

/** The editor's complaint about a typed input, if it is known without evaluation. */
function typedComplaint(property: string, text: string, kind: string): Complaint | null {
  const complain = (message: string, instead: string | null = null): Complaint => ({
    problem: 'wrong_value',
    field: property,
    instead,
    message: `“${property}”: ${message}`,
  });
  if (text.trim() === '') return complain(`name what is read: the kind is “${kind}”.`);
  if (kind === 'msg' && text.startsWith('msg.')) {
    return complain(`the kind is “msg” already. Write “${text.slice(4)}”.`, text.slice(4));
  }
  if (['msg', 'flow', 'global'].includes(kind) && !/^[\p{L}_$#][^\s,;=]*$/u.test(text))
    return complain('this is no property.');
  return kind === 'jsonata' && !isBalanced(text)
    ? complain('a bracket or quote is not closed in the expression.')
    : null;
}

function isBalanced(expression: string): boolean {
  // A backslash outside of texts is in a regular expression.
  const plain = expression.replace(/\/\*[^]*?\*\/|\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  const open: string[] = [];
  for (const character of plain.replace(/[^()[\]{}"']/g, '')) {
    const closes = { ')': '(', ']': '[', '}': '{' }[character];
    if (closes === undefined) open.push(character);
    else if (open.pop() !== closes) return false;
  }
  return open.length === 0;
}

function referenceComplaint(
  { node, file, sentence, property }: Checked,
  rule: FieldRule,
  { isNeeded, isRefused }: { readonly isNeeded: boolean; readonly isRefused: boolean },
  id: string,
): Complaint | null {
  const wanted = rule.refersTo ?? '';
  const complain = (message: string): Complaint => {
    const others = file.nodes.filter(({ type }) => type === wanted);
    const [only] = others;
    const instead = others.length === 1 && only !== undefined ? only.id : null;
    const advice = instead === null ? '' : ` Write “${instead}”.`;
    return { problem: 'no_connection', field: property, message: `“${property}”: ${message}${advice}`, instead };
  };
  if (id === '') return isNeeded ? complain(`name the id of a ${wanted} node.`) : null;
  const target = file.byId.get(id);
  if (target === undefined) return complain(`the file has no node “${id}”. Add a ${wanted} node.`);
  if (target.type !== wanted) return complain(`“${id}” is a ${target.type} node, not a ${wanted} node.`);
  if (!isRefused || rule.notPublic === undefined || readPropertyText(target, 'mode') !== 'public') return null;
  return { problem: 'wrong_value', field: property, message: `“${property}”: ${sentence(node.type, rule.notPublic)}` };
}
