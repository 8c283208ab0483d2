/** Checks in the form that Node-RED's editor calls: two declared parameters; the result is a sentence or true. */
import { holdsVariable, type FieldProblem, type CheckResult } from './checks';
import { textFrom } from './open-form';
import type { EditorNode, Validator } from './red';
import { createCatalogueText } from './catalogue';

export function problemSentence(nodeType: string, complaint: FieldProblem, label: string | undefined): string {
  const sentence = createCatalogueText(nodeType)(complaint.key, complaint.values);
  return label === undefined ? sentence : `${label}: ${sentence}`;
}

/** For a plain field. The check may depend on the node's other fields; `${ENV}` always passes. */
export function textValidator<Config>(
  nodeType: string,
  check: (text: string, node: EditorNode<Config>) => CheckResult,
): Validator<Config> {
  return function (value, options) {
    if (holdsVariable(value)) return true;
    const result = check(textFrom(value), this);
    return result === true ? true : problemSentence(nodeType, result, options.label);
  };
}

/**
 * For the reference to a configuration node: chosen, existing, valid, and usable by the node.
 * @param notPublic key of the sentence with the alternative for a CEMM 3.0; null: the node works with it
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
