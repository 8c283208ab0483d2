/** *Add the page*: what the page of the house needs behind a balance node or a webhook node. */
import {
  type Addition,
  type Change,
  isAloneWith,
  type NewLink,
  type NewNode,
  placeRows,
  topmost,
  widthOf,
} from './add-nodes';
import type { CatalogueText } from '../catalogue';
import { configNodes, pageGroup } from './place';
import { textFrom } from '../open-form';
import type { AnyNode } from '../red';

const connectionType = 'cemm-connection';

/** Shows nothing: the page node replaces it when it starts. */
const emptyTemplate = '<template>\n  <div></div>\n</template>';

export interface PageAddition extends Addition {
  /** Path of the page, below the address of Node-RED. */
  readonly path: string;
}

/** Balance, page and template with their wires, in a group with a comment. A balance node of this moment is used as it is. */
export function pageBehind(source: AnyNode, text: CatalogueText): PageAddition {
  const z = textFrom(source['z']);
  const place = pageGroup(text);
  const balance = balanceFor(source, text);
  const ids = { page: RED.nodes.id(), template: RED.nodes.id(), errors: RED.nodes.id(), comment: RED.nodes.id() };
  const template = {
    type: 'ui-template',
    id: ids.template,
    name: text('form.dashboard.template'),
    group: place.groupId,
    order: 1,
    width: place.width,
    height: '0',
    format: emptyTemplate,
    templateScope: 'local',
    wires: [[ids.page]],
    storeOutMessages: true,
    passthru: false,
    resendOnRefresh: true,
  };
  const page = { type: 'cemm-page', id: ids.page, wires: [[ids.template], []] };
  const said = text('form.dashboard.comment', { path: place.path });
  const comment = { type: 'comment', id: ids.comment, name: said, info: '', wires: [] };
  const errors = {
    type: 'catch',
    id: ids.errors,
    name: '',
    scope: [balance.id],
    uncaught: false,
    wires: [[ids.page]],
  };
  const rows = { above: [comment], beside: [...balance.added, page, template], below: [errors] };
  const places = placeRows(source, {
    above: rows.above.map(widthOf),
    beside: rows.beside.map(widthOf),
    below: rows.below.map(widthOf),
  });
  const placed = (['above', 'beside', 'below'] as const).flatMap((name) =>
    rows[name].map((node, index): NewNode => ({ ...node, z, ...places[name][index] })),
  );
  const links: NewLink[] = [
    ...(balance.added.length > 0 && balance.isFed ? [{ from: source.id, port: 0, to: balance.id }] : []),
    { from: balance.id, port: 0, to: ids.page },
    { from: ids.page, port: 1, to: balance.id },
  ];
  const isOfGroup =
    source.id === balance.id &&
    textFrom(source['g']) === '' &&
    isAloneWith(source, [...places.above, ...places.beside, ...places.below]);
  return {
    nodes: [...place.missing, ...balance.configs, ...placed],
    links,
    changes: [...balance.changes, ...(isOfGroup ? lowerBelowEdge(source) : [])],
    grouped: [...(isOfGroup ? [source.id] : []), ...placed.map(({ id }) => id)],
    path: place.path,
  };
}

/** The frame of a group is cut where its node touches the upper edge of the flow. */
function lowerBelowEdge(node: AnyNode): Change[] {
  return Number(node['y']) < topmost ? [{ node, property: 'y', value: topmost }] : [];
}

interface BalanceOfPage {
  readonly id: string;
  /** The balance node, unless the source is used. */
  readonly added: readonly NewNode[];
  /** True if a new balance node gets the messages of the source. */
  readonly isFed: boolean;
  readonly configs: readonly NewNode[];
  readonly changes: readonly Change[];
}

function balanceFor(source: AnyNode, text: CatalogueText): BalanceOfPage {
  const common = { type: 'cemm-balance', period: 'now', pricesType: 'connection', wires: [[]] };
  if (source.type !== 'cemm-balance') {
    const { connection, configs } = connectionFor(source, text);
    const id = RED.nodes.id();
    const added = { ...common, id, connection, source: 'messages', interval: 0 };
    return { id, added: [added], isFed: true, configs, changes: [] };
  }
  const isNow = source['periodType'] === 'str' && source['period'] === 'now';
  const isFree = RED.nodes.filterLinks({ source: { id: source.id } }).length === 0;
  const isAsking = source['source'] !== 'messages';
  if (isNow || isFree || !isAsking) {
    const changes = isNow || !isFree ? [] : buildNowChanges(source);
    return { id: source.id, added: [], isFed: false, configs: [], changes: [...changes, ...pricesOf(source)] };
  }
  // It sends a period to other nodes, so the page gets a balance of its own.
  const { connection, monitor, monitorType, grid, production, battery, gas, water } = source;
  const id = RED.nodes.id();
  const same = {
    connection,
    monitor,
    monitorType,
    grid,
    production,
    battery,
    gas,
    water,
    interval: momentSeconds(source),
  };
  return { id, added: [{ ...common, ...same, id }], isFed: false, configs: [], changes: [] };
}

function buildNowChanges(node: AnyNode): Change[] {
  const seconds = node['source'] === 'messages' ? 0 : momentSeconds(node);
  return [
    { node, property: 'period', value: 'now' },
    { node, property: 'periodType', value: 'str' },
    { node, property: 'interval', value: seconds },
  ];
}

/** The page shows costs, so a node without prices takes those of its connection. */
function pricesOf(node: AnyNode): Change[] {
  return node['pricesType'] === 'none' ? [{ node, property: 'pricesType', value: 'connection' }] : [];
}

function momentSeconds(node: AnyNode): number {
  const connection = RED.nodes.node(textFrom(node['connection']));
  return connection?.['mode'] === 'remote' ? 60 : 10;
}

/** The connection of a webhook node, the only one that is there, or a new one: it has time zone, language and prices. */
function connectionFor(source: AnyNode, text: CatalogueText): { connection: string; configs: NewNode[] } {
  const chosen = textFrom(source['connection']);
  const [only, ...others] = configNodes(connectionType);
  const found = chosen === '' && others.length === 0 ? (only?.id ?? '') : chosen;
  if (found !== '') return { connection: found, configs: [] };
  const made = { id: RED.nodes.id(), type: connectionType, mode: 'demo', name: text('form.dashboard.settings') };
  return { connection: made.id, configs: [made] };
}
