/** The node types of this package as data: stored properties and kinds of payload. For cemm-check-flow and the JSON Schemas. */
import type { PayloadKind } from '../../src/model/payload';
import { balanceDefaults, balanceFields, balanceOutputs } from '../cemm-balance/config';
import * as connection from '../cemm-connection/config';
import { discoveryDefaults, discoveryFields, discoveryOutputs } from '../cemm-discovery/config';
import { formatDefaults, formatFields, formatOutputs } from '../cemm-format/config';
import { pageDefaults, pageFields, pageOutputs } from '../cemm-page/config';
import { realtimeDefaults, realtimeFields, realtimeOutputs } from '../cemm-realtime/config';
import { seriesDefaults, seriesFields, seriesOutputs } from '../cemm-series/config';
import { totalsDefaults, totalsFields, totalsOutputs } from '../cemm-totals/config';
import * as webhookIn from '../cemm-webhook-in/config';
import type { AnyRules } from '../lib/stored/field-rules';
import type { FlowNode } from './flow-file';

export interface NodeType {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly rules: AnyRules;
  readonly hasInput: boolean;
  /** Kinds of payload per output; empty if the payload is no longer one of this package. Null: a configuration node. */
  readonly outputs: readonly (readonly PayloadKind[])[] | null;
  readonly credentials: readonly string[];
}

const types: Readonly<Record<string, NodeType>> = {
  'cemm-connection': {
    defaults: { ...connection.connectionDefaults },
    rules: connection.connectionFields,
    hasInput: false,
    outputs: null,
    credentials: connection.credentialNames,
  },
  'cemm-discovery': queryType(discoveryDefaults, discoveryFields, discoveryOutputs),
  'cemm-realtime': queryType(realtimeDefaults, realtimeFields, realtimeOutputs),
  'cemm-series': queryType(seriesDefaults, seriesFields, seriesOutputs),
  'cemm-totals': queryType(totalsDefaults, totalsFields, totalsOutputs),
  'cemm-webhook-in': {
    defaults: { ...webhookIn.webhookInDefaults },
    rules: webhookIn.webhookInFields,
    hasInput: false,
    outputs: webhookIn.webhookInOutputs,
    credentials: webhookIn.credentialNames,
  },
  'cemm-balance': queryType(balanceDefaults, balanceFields, balanceOutputs),
  'cemm-page': queryType(pageDefaults, pageFields, pageOutputs),
  'cemm-format': queryType(formatDefaults, formatFields, formatOutputs),
};

/** Without a prototype: a flow file may name the type `constructor`. */
export const nodeTypes: typeof types = Object.assign(Object.create(null) as object, types);

function queryType(defaults: object, rules: AnyRules, outputs: readonly (readonly PayloadKind[])[]): NodeType {
  return { defaults: { ...defaults }, rules, hasInput: true, outputs, credentials: [] };
}

/** The node with the default of each property that it lacks; a node of another package as it is. */
export function fillDefaults(node: FlowNode): FlowNode {
  const type = nodeTypes[node.type];
  return type === undefined ? node : { ...node, properties: { ...type.defaults, ...node.properties } };
}

/** Stored with every node, besides the properties of its type. */
export const commonProperties = ['id', 'type', 'z', 'd', 'info', 'credentials'] as const;

/** Stored with nodes on a flow. */
export const placedProperties = ['g', 'x', 'y', 'w', 'h', 'l', 'wires', 'icon', 'inputLabels', 'outputLabels'] as const;
