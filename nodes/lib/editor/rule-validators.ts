/** Validators of a dialog, from the rules in the config.ts of its node (nodes/lib/stored/field-rules.ts). */
import {
  type AnyRules,
  type CheckName,
  checkText,
  counts,
  type FieldRule,
  holds,
  type RuleCheck,
  type RuledNode,
} from '../stored/field-rules';
import { nameField } from '../stored/config';
import { holdsVariable } from './checks';
import { modeOf } from './connection-form';
import { textFrom, type OpenForm } from './open-form';
import type { Validator } from './red';
import { problemSentence, textValidator } from './validators';

/** The node with the fields of its open dialog, otherwise with its stored properties. */
export function ruledNode(form: OpenForm, node: { readonly id: string }): RuledNode {
  return {
    textOf: (property) => form.textOf(node, property),
    mode: modeOf(form.textOf(node, 'connection')),
  };
}

/**
 * @param checks the functions of all checks that the rules name, except those of this file
 * @returns the validator of a property
 */
export function ruleValidators<Config>(
  nodeType: string,
  form: OpenForm,
  rules: AnyRules,
  checks: Partial<Readonly<Record<CheckName, RuleCheck>>>,
): (property: string) => Validator<Config> {
  return (property) => {
    const rule: FieldRule = rules[property] ?? nameField;
    if (rule.refersTo === 'cemm-connection') return referenceValidator(nodeType, form, rule);
    return function (value, options) {
      const node = ruledNode(form, this);
      if (rule.is === 'list' && value === undefined) return true;
      const text = writtenAs(rule, value) ?? form.textOf(this, property);
      if (!counts(rule, node) || holdsVariable(rule.is === 'list' ? text : value)) return true;
      const kind = rule.typed === undefined ? 'str' : form.textOf(this, `${property}Type`);
      const isOwn = rule.typed?.includes(kind) === true;
      if (isOwn && rule.checksKind !== true) return true;
      if (!isOwn && kind !== 'str' && kind !== '') return RED.utils.validateTypedProperty(value, kind, options);
      const result = checkText(rules, rule, text, node, checks);
      return result === true ? true : problemSentence(nodeType, result, options.label);
    };
  };
}

/** A stored value as the check of its rule reads it; null without a value. */
function writtenAs(rule: FieldRule, value: unknown): string | null {
  if (value === undefined) return null;
  return rule.is === 'list' ? JSON.stringify(value) : textFrom(value);
}

/** Validator of the reference to a connection: chosen if one is needed, existing, valid, and usable by the node. */
function referenceValidator<Config>(nodeType: string, form: OpenForm, rule: FieldRule): Validator<Config> {
  return textValidator(nodeType, (id, dialogNode) => {
    const node = ruledNode(form, dialogNode);
    if (!counts(rule, node)) return true;
    const isNeeded = holds(rule.needed, node);
    if (id === '' || id === '_ADD_') return isNeeded ? { key: 'check.connectionMissing' } : true;
    const connection = RED.nodes.node(id);
    if (connection === null || connection === undefined) return { key: 'check.connectionGone' };
    const isRefused = isNeeded && holds(rule.notPublicWhen ?? true, node);
    if (isRefused && rule.notPublic !== undefined && connection['mode'] === 'public') return { key: rule.notPublic };
    return connection['valid'] === false ? { key: 'check.connectionInvalid' } : true;
  });
}
