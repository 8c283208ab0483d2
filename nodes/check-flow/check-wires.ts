/** Finds wires from or to missing outputs and inputs, and two receivers on one path. */
import { httpInType, normalizePath, pathsOverlap, pathKey } from '../cemm-webhook-in/config';
import { type Finding, findingOf } from './finding';
import { type FlowFile, type FlowNode, isEnabled, readPropertyText, wiresOf } from './flow-file';
import { fillDefaults, nodeTypes } from './node-types';

export function checkWires(node: FlowNode, file: FlowFile): Finding[] {
  const type = nodeTypes[node.type];
  const outputs = type?.outputs?.length ?? 0;
  const say = (
    problem: 'no_output' | 'no_target' | 'no_input',
    message: string,
    instead: string | null = null,
  ): Finding => findingOf(node, file, { problem, field: 'wires', message, instead });
  const { wires } = node.properties;
  if (type !== undefined && type.outputs !== null) {
    const empty = JSON.stringify(Array.from({ length: outputs }, () => []));
    if (!Array.isArray(wires) || !wires.every((ids: unknown) => Array.isArray(ids))) {
      return [say('no_output', `“wires” holds one list of ids per output. Write "wires": ${empty}.`, empty)];
    }
  }
  return wiresOf(node).flatMap((ids, index) => {
    if (type !== undefined && index >= outputs && ids.length > 0) {
      const last = outputs === 1 ? 'The node has one output.' : `The node has ${outputs} outputs.`;
      return [say('no_output', `there is no output ${index + 1}. ${last}`)];
    }
    return ids.flatMap((id) => {
      const target = file.byId.get(id);
      if (target === undefined) {
        return type === undefined ? [] : [say('no_target', `a wire leads to “${id}”, which is not in the file.`)];
      }
      if (type !== undefined && needsFormat(node, target)) return [withoutFormat(node, target, file)];
      const reached = nodeTypes[target.type];
      if (reached === undefined || reached.hasInput) return [];
      return [
        say(
          'no_input',
          `a wire leads to ${target.type} “${readPropertyText(target, 'name') || id}”, which has no input.`,
        ),
      ];
    });
  });
}

/** A chart draws points; only the format `chart` makes some. A chart can also take its value from a part of the message. */
function needsFormat(node: FlowNode, target: FlowNode): boolean {
  if (target.type !== 'ui-chart' || node.type === 'cemm-format') return false;
  return readPropertyText(target, 'yAxisPropertyType') !== 'msg';
}

function withoutFormat(node: FlowNode, target: FlowNode, file: FlowFile): Finding {
  const name = readPropertyText(target, 'name') || readPropertyText(target, 'label') || target.id;
  const message = `a wire leads to ui-chart “${name}”, which cannot draw this payload. Put a cemm-format node with “format” chart between them.`;
  return findingOf(node, file, { problem: 'no_format', field: 'wires', message });
}

/** Reports the later of two nodes with the same path: it does not get it. */
export function checkPaths(file: FlowFile): Finding[] {
  const enabled = file.nodes.filter((node) => isEnabled(node, file)).map(fillDefaults);
  const receivers = enabled.filter(({ type }) => type === 'cemm-webhook-in');
  const others = enabled.filter((node) => node.type === httpInType && readPropertyText(node, 'method') === 'post');
  return receivers.flatMap((node, index) => {
    const isOwn = readPropertyText(node, 'listen') === 'own';
    const rivals = receivers
      .slice(0, index)
      .filter((other) => readPropertyText(other, 'listen') === readPropertyText(node, 'listen'))
      .filter((other) => !isOwn || readPropertyText(other, 'port').trim() === readPropertyText(node, 'port').trim());
    const key = normalizeNodePath(node);
    const holder = [...rivals, ...(isOwn ? [] : others)].find((other) => pathsOverlap(normalizeNodePath(other), key));
    if (holder === undefined) return [];
    const name = readPropertyText(holder, 'name') || holder.id;
    const message = `“path”: the node ${holder.type} “${name}” has this path already. Write another one.`;
    return [findingOf(node, file, { problem: 'path_taken', field: 'path', message })];
  });
}

function normalizeNodePath(node: FlowNode): string {
  return pathKey(normalizePath(readPropertyText(node, node.type === httpInType ? 'url' : 'path')));
}
