/** Checks in the shape that Node-RED's editor calls: two declared parameters, a sentence or true. */
import { holdsVariable, type FieldProblem, type CheckResult } from './checks';
import { textFrom, type OpenForm } from './open-form';
import type { EditorNode, Validator } from './red';
import { catalogueOf } from './catalogue';

export function sentenceOf(nodeType: string, complaint: FieldProblem, label: string | undefined): string {
  const sentence = catalogueOf(nodeType)(complaint.key, complaint.values);
  return label === undefined ? sentence : `${label}: ${sentence}`;
}

/** For a plain field. What is checked may depend on the node's other fields; `${ENV}` always passes. */
export function textValidator<Config>(
  nodeType: string,
  check: (text: string, node: EditorNode<Config>) => CheckResult,
): Validator<Config> {
  return function (value, options) {
    if (holdsVariable(value)) return true;
    const result = check(textFrom(value), this);
    return result === true ? true : sentenceOf(nodeType, result, options.label);
  };
}

/**
 * For a typed input: a text has to pass the check, `msg`, `flow`, `global`, `env` and JSONata are judged by Node-RED,
 * and a type without a value of its own is always right.
 */
export function typedValidator<Config>(
  nodeType: string,
  form: OpenForm,
  property: string,
  check: (text: string, node: EditorNode<Config>) => CheckResult,
  ownTypes: readonly string[] = [],
): Validator<Config> {
  return function (value, options) {
    const type = form.textOf(this, `${property}Type`);
    if (ownTypes.includes(type) || holdsVariable(value)) return true;
    if (type !== 'str' && type !== '') return RED.utils.validateTypedProperty(value, type, options);
    const result = check(textFrom(value), this);
    return result === true ? true : sentenceOf(nodeType, result, options.label);
  };
}

/**
 * For the reference to a configuration node: chosen, there, itself without mistakes, and one that the node can use.
 * @param notPublic key of the sentence that says what to use instead with a CEMM 3.0; null: the node works with it
 */
export function connectionValidator<Config>(
  nodeType: string,
  mustBeChosen: boolean,
  notPublic: string | null = null,
): Validator<Config> {
  return textValidator(nodeType, (id) => {
    if (id === '' || id === '_ADD_') return mustBeChosen ? { key: 'check.connectionMissing' } : true;
    const connection = RED.nodes.node(id);
    if (connection === null || connection === undefined) return { key: 'check.connectionGone' };
    if (notPublic !== null && connection['mode'] === 'public') return { key: notPublic };
    return connection['valid'] === false ? { key: 'check.connectionInvalid' } : true;
  });
}
