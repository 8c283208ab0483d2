/** Finds a place for a widget on the dashboard: in an existing group, or in a new one with page, theme and base. */
import { newProperties, type NewNode } from './add-nodes';
import type { CatalogueText } from './catalogue';
import { textFrom } from './open-form';
import type { AnyNode } from './red';

export interface DashboardPlace {
  readonly groupId: string;
  /** Columns of the group. */
  readonly width: string;
  /** Order of the widget in its group. */
  readonly order: number;
  /** Path of the page, below the address of Node-RED. */
  readonly path: string;
  /** Configuration nodes to create. */
  readonly missing: readonly NewNode[];
}

export function dashboardPlace(text: CatalogueText): DashboardPlace {
  const group = firstGroup();
  if (group !== undefined) {
    const page = RED.nodes.node(textFrom(group['page']));
    const base = RED.nodes.node(textFrom(page?.['ui']));
    const path = pathOf(textFrom(base?.['path']), textFrom(page?.['path']));
    return { groupId: group.id, width: textFrom(group['width']), order: nextOrder(group.id), path, missing: [] };
  }
  const missing: NewNode[] = [];
  const have = (type: string, properties: object): AnyNode => {
    const [first] = configNodes(type);
    if (first !== undefined) return first;
    const made = { ...newProperties(type), ...properties, id: RED.nodes.id(), type };
    missing.push(made);
    return made;
  };
  const page = configNodes('ui-page')[0] ?? newPage();
  const made = have('ui-group', { name: text('form.dashboard.group'), page: page.id, width: '12', order: 1 });
  const base = RED.nodes.node(textFrom(page['ui'])) ?? missing.find(({ type }) => type === 'ui-base');
  const path = pathOf(textFrom(base?.['path']), textFrom(page['path']));
  return { groupId: made.id, width: textFrom(made['width']), order: 1, path, missing };

  function newPage(): AnyNode {
    const ui = have('ui-base', {}).id;
    const theme = have('ui-theme', {}).id;
    const name = text('form.dashboard.page');
    return have('ui-page', { name, ui, theme, path: '/energy', icon: 'home', layout: 'grid', order: 1 });
  }
}

/** The first group in the order of the dashboard. Groups that open as a dialog are hidden at first. */
function firstGroup(): AnyNode | undefined {
  const pageOrder = (group: AnyNode): number => orderOf(RED.nodes.node(textFrom(group['page'])) ?? {});
  return configNodes('ui-group')
    .filter((group) => RED.nodes.node(textFrom(group['page'])) && group['groupType'] !== 'dialog')
    .sort((a, b) => pageOrder(a) - pageOrder(b) || orderOf(a) - orderOf(b))[0];
}

function configNodes(type: string): AnyNode[] {
  const found: AnyNode[] = [];
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node);
    return true;
  });
  return found;
}

function nextOrder(group: string): number {
  const widgets = RED.nodes.filterNodes({}).filter((node) => node['group'] === group);
  return Math.max(0, ...widgets.map(orderOf)) + 1;
}

function orderOf(node: Readonly<Record<string, unknown>>): number {
  const order = Number(node['order']);
  // The largest integer is the default of a chart that was never moved.
  return Number.isFinite(order) && order < Number.MAX_SAFE_INTEGER ? order : 0;
}

function pathOf(base: string, page: string): string {
  return `/${RED.settings.httpNodeRoot ?? ''}/${base}/${page}`.replace(/\/{2,}/g, '/');
}
