/** One finding of cemm-check-flow, and its output as text or JSON. */
import { type FlowFile, type FlowNode, readPropertyText } from './flow-file';

type Problem =
  | 'unknown_type'
  | 'unknown_property'
  | 'wrong_type'
  | 'wrong_value'
  | 'unusual_value'
  | 'no_proof'
  | 'no_connection'
  | 'path_taken'
  | 'no_output'
  | 'no_input'
  | 'no_target'
  | 'no_flow'
  | 'same_id'
  | 'never_started'
  | 'no_format'
  | 'unknown_field'
  | 'key_in_file'
  | 'never_sent';

/** True for a finding with which the node works: it is no error. */
export function isWarning({ problem }: Pick<Finding, 'problem'>): boolean {
  return problem === 'unusual_value';
}

export interface Finding {
  readonly problem: Problem;
  /** Id of the node. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The node's flow or subflow. */
  readonly flow: string;
  /** Property of the node, or of the message that it reads. */
  readonly field: string;
  readonly message: string;
  /** Replacement in the notation of a flow file; null if unknown. */
  readonly instead: string | null;
}

export interface Complaint {
  readonly problem: Problem;
  readonly field: string;
  readonly message: string;
  readonly instead?: string | null;
}

export function findingOf(node: FlowNode, file: FlowFile, { problem, field, message, instead }: Complaint): Finding {
  const flow = file.byId.get(readPropertyText(node, 'z'));
  return {
    problem,
    id: node.id,
    type: node.type,
    name: readPropertyText(node, 'name'),
    flow: readPropertyText(flow, 'label') || readPropertyText(flow, 'name'),
    field,
    message,
    instead: instead ?? null,
  };
}

/** Control characters, and characters that change the direction of text. */
const obeyed = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** For a terminal: a foreign file may contain escape sequences. */
export function printable(text: string): string {
  return text.replace(obeyed, (character) => `\\x${formatCharacterCode(character).padStart(2, '0')}`);
}

/** For a program, which decodes the escapes to the same characters. */
export function printableJson(value: unknown): string {
  const escapeCharacter = (character: string): string =>
    character === '\n' ? '\n' : `\\u${formatCharacterCode(character).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(obeyed, escapeCharacter);
}

function formatCharacterCode(character: string): string {
  return character.charCodeAt(0).toString(16);
}

/** A finding as a line of text. */
export function lineOf({ name, type, id, flow, message }: Finding): string {
  const node = name === '' ? `${type} ${id}` : `${type} “${name}”`;
  return `${flow === '' ? '' : `${flow}: `}${node}: ${message}`;
}
