/** Checks in the form that Node-RED's editor calls: two declared parameters; the result is a sentence or true. */
import type { CheckResult, FieldProblem } from '../stored/field-rules';
import { holdsVariable } from './checks';
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
