/** Finds a place for a widget on the dashboard: in an existing group, or in a new one with page, theme and base. */
import { newProperties, type NewNode } from './add-nodes';
import { isProtected, protectedSettings } from '../../dashboard-base';
import type { CatalogueText } from '../catalogue';
import { textFrom } from '../open-form';
import type { AnyNode } from '../red';

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
    const path = page ? pathOnDashboard(page) : '';
    return { groupId: group.id, width: textFrom(group['width']), order: nextOrder(group.id), path, missing: [] };
  }
  const [page] = configNodes('ui-page').sort((a, b) => orderOf(a) - orderOf(b));
  return newGroup(page ?? null, { name: text('form.dashboard.group'), path: '/energy' }, text);
}

/** A new group on a new page, for the page of the house alone. */
export function pageGroup(text: CatalogueText): DashboardPlace {
  const path = freePath(configNodes('ui-page'));
  const place = newGroup(null, { name: text('form.dashboard.group'), path, showTitle: false }, text);
  return { ...place, missing: place.missing.map((node) => (node.type === 'ui-base' ? withProtection(node) : node)) };
}

/** The first path for a page of the house that none of these pages has. */
export function freePath(pages: readonly AnyNode[]): string {
  const taken = pages.map((page) => page['path']);
  const paths = ['/energy', '/house', ...taken.map((_, index) => `/house-${index + 2}`)];
  return paths.find((one) => !taken.includes(one)) ?? '';
}

/** Path of a page, below the address of Node-RED. */
export function pathOnDashboard(page: AnyNode): string {
  const base = RED.nodes.node(textFrom(page['ui'])) ?? configNodes('ui-base')[0];
  return joinPath(textFrom(base?.['path']), textFrom(page['path']));
}

/** The dashboard that new pages are on, if visitors can change what a template shows there; null for none. */
export function unprotectedBase(): AnyNode | null {
  const [base] = configNodes('ui-base');
  return base === undefined || isProtected(base) ? null : base;
}

function withProtection(base: NewNode): NewNode {
  return { ...base, ...protectedSettings(base) };
}

/** @param page null: a new one with this path */
function newGroup(
  found: AnyNode | null,
  { path, ...group }: { readonly name: string; readonly path: string; readonly showTitle?: boolean },
  text: CatalogueText,
): DashboardPlace {
  const missing: NewNode[] = [];
  const make = (type: string, properties: object): AnyNode => {
    const made = { ...newProperties(type), ...properties, id: RED.nodes.id(), type };
    missing.push(made);
    return made;
  };
  const have = (type: string): AnyNode => configNodes(type)[0] ?? make(type, {});
  const newPage = (): AnyNode => {
    const [ui, theme] = [have('ui-base').id, have('ui-theme').id];
    const order = configNodes('ui-page').length + 1;
    return make('ui-page', { name: text('form.dashboard.page'), ui, theme, path, icon: 'home', layout: 'grid', order });
  };
  const page = found ?? newPage();
  const made = make('ui-group', { ...group, page: page.id, width: '12', order: 1 });
  const base = RED.nodes.node(textFrom(page['ui'])) ?? missing.find(({ type }) => type === 'ui-base');
  return {
    groupId: made.id,
    width: textFrom(made['width']),
    order: 1,
    path: joinPath(textFrom(base?.['path']), textFrom(page['path'])),
    missing,
  };
}

/**
 * The first group in the order of the dashboard. Groups that open as a dialog are hidden at first, and that of the page is for
 * the page alone.
 */
function firstGroup(): AnyNode | undefined {
  const ofPages = groupsOfPages();
  const pageOrder = (group: AnyNode): number => orderOf(RED.nodes.node(textFrom(group['page'])) ?? {});
  return configNodes('ui-group')
    .filter((group) => RED.nodes.node(textFrom(group['page'])) && group['groupType'] !== 'dialog')
    .filter((group) => !ofPages.has(group.id))
    .sort((a, b) => pageOrder(a) - pageOrder(b) || orderOf(a) - orderOf(b))[0];
}

/** Groups of the templates that a cemm-page draws. */
function groupsOfPages(): Set<string> {
  const pages = RED.nodes.filterNodes({ type: 'cemm-page' });
  const followers = pages.flatMap(({ id }) => RED.nodes.filterLinks({ source: { id } }).map(({ target }) => target));
  return new Set(followers.map((follower) => textFrom(follower['group'])));
}

/** All configuration nodes of a type. */
export function configNodes(type: string): AnyNode[] {
  const found: AnyNode[] = [];
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node);
    return true;
  });
  return found;
}

function nextOrder(group: string): number {
  const widgets = RED.nodes.filterNodes({}).filter((node) => node['group'] === group);
  return widgets.reduce((most, widget) => Math.max(most, orderOf(widget)), 0) + 1;
}

function orderOf(node: Readonly<Record<string, unknown>>): number {
  const order = Number(node['order']);
  // The largest integer is the default of a chart that was never moved.
  return Number.isFinite(order) && order < Number.MAX_SAFE_INTEGER ? order : 0;
}

function joinPath(base: string, page: string): string {
  return `/${RED.settings.httpNodeRoot ?? ''}/${base}/${page}`.replace(/\/{2,}/g, '/');
}
