/**
 * The row of dashboard.html. Its buttons press *Done* and add a Dashboard 2 chart or gauge behind the node, with a format node
 * if needed, or the page of the house. Without Dashboard 2, a row says so and opens *Manage palette*.
 */
import { createCatalogueText, type CatalogueText } from '../catalogue';
import { addNodes, type Change, type NewNode, placeRows, widthOf } from './add-nodes';
import { protectedSettings } from '../../dashboard-base';
import { type DashboardPlace, dashboardPlace, unprotectedBase } from './place';
import { readerOf, subjectOf } from './subject';
import { pageBehind } from './page';
import { buildChart, gaugeOf, type Widget } from './widgets';
import { textFrom } from '../open-form';
import { isValidForm } from '../problem-lines';
import { besideIngress, isIngress } from '../opened-at';
import type { AnyNode } from '../red';

const widgetTypes = { chart: 'ui-chart', gauge: 'ui-gauge' } as const;
const makers = { chart: buildChart, gauge: gaugeOf } as const;
/** Seconds between two readings. The minutes of today change all the time; other periods do not. */
const intervals = { today: { remote: 300, others: 60 }, others: 3600 } as const;
type WidgetKind = keyof typeof widgetTypes;
const kinds = ['chart', 'gauge', 'page'] as const;
/** Node types whose dialogs have the button *Add the page*. */
const withPage = ['cemm-balance', 'cemm-webhook-in'];

/** Call from `oneditprepare`. */
export function prepareDashboardButtons(node: { readonly id: string; readonly type: string }): void {
  const opened = RED.nodes.node(node.id);
  // A widget in a subflow template has no group, and a locked flow accepts no nodes.
  const flow = RED.nodes.workspace(textFrom(opened?.['z']));
  if (flow === undefined || flow['locked'] === true) return;
  if (RED.nodes.getType('ui-base') === undefined) {
    offerDashboard();
    return;
  }
  $('.cemm-dashboard').show();
  $('#cemm-add-page').toggle(withPage.includes(node.type));
  for (const kind of kinds) {
    $(`#cemm-add-${kind}`).on('click', () => {
      // *Done* would close a dialog with a wrong value, too.
      if (!isValidForm(node)) {
        RED.notify(createCatalogueText(node.type)('form.dashboard.notValid'), 'warning');
        return;
      }
      $('#node-dialog-ok').trigger('click');
      const source = RED.nodes.node(node.id);
      if (source === null || source === undefined) return;
      if (kind === 'page') addPage(source);
      else addWidget(kind, source);
    });
  }
}

/** Node-RED has no palette manager if nothing may be installed from the editor. */
function offerDashboard(): void {
  const action = 'core:manage-palette';
  $('.cemm-no-dashboard').show();
  const button = $('#cemm-install-dashboard').toggle(RED.actions.list().some(({ id }) => id === action));
  button.children('span').text(RED._('menu.label.editPalette'));
  button.on('click', () => {
    RED.actions.invoke(action);
  });
}

function addPage(source: AnyNode): void {
  const text = createCatalogueText(source.type);
  const { path, ...addition } = pageBehind(source, text);
  const add = (changes: readonly Change[]): void => {
    addNodes({ ...addition, changes: [...addition.changes, ...changes] });
    announce('page', path, text);
  };
  const base = unprotectedBase();
  if (base === null) add([]);
  else offerProtection(base, text, add);
}

/** The owner of an existing dashboard decides, because the setting is for all of its templates. */
function offerProtection(base: AnyNode, text: CatalogueText, add: (changes: readonly Change[]) => void): void {
  const answer = (changes: readonly Change[]) => (): void => {
    question.close();
    add(changes);
  };
  const changes = Object.entries(protectedSettings(base)).map(([property, value]) => ({ node: base, property, value }));
  const question = RED.notify(text('form.dashboard.protect.question'), {
    modal: true,
    fixed: true,
    buttons: [
      { text: text('form.dashboard.protect.leave'), click: answer([]) },
      { text: text('form.dashboard.protect.set'), class: 'primary', click: answer(changes) },
    ],
  });
}

function addWidget(kind: WidgetKind, source: AnyNode): void {
  const text = createCatalogueText(source.type);
  const place = dashboardPlace(text);
  const nodes = nodesBehind(source, kind, makers[kind](source, text), place);
  const [first] = nodes;
  if (first === undefined) return;
  const links = [{ from: source.id, port: 0, to: first.id }];
  addNodes({ nodes: [...place.missing, ...nodes], links, changes: startInterval(readerOf(source)) });
  announce(kind, place.path, text);
}

function announce(kind: (typeof kinds)[number], path: string, text: CatalogueText): void {
  RED.notify($('<span>').text(text(`form.dashboard.added.${kind}`, { path: describeAddress(path, text) })), 'success');
}

/** In Home Assistant the browser reaches the editor only. The page is at the app's own port, which its owner may have changed. */
function describeAddress(path: string, text: CatalogueText): string {
  return isIngress(location) ? text('form.dashboard.inApp', { address: besideIngress(location, path) }) : path;
}

/** The format node, if the widget needs one, followed by the widget. */
function nodesBehind(
  source: AnyNode,
  kind: WidgetKind,
  { format, properties }: Widget,
  place: DashboardPlace,
): NewNode[] {
  const { groupId: group, order } = place;
  const size = kind === 'chart' ? { width: place.width, height: '7' } : {};
  const widget = { ...properties, ...size, group, order, type: widgetTypes[kind] };
  const chain = [...(format === null ? [] : [{ ...format, type: 'cemm-format' }]), widget];
  const ids = chain.map(() => RED.nodes.id());
  const places = placeRows(source, { above: [], beside: chain.map(widthOf), below: [] }).beside;
  return chain.map((node, index) => {
    const next = ids[index + 1];
    const z = textFrom(source['z']);
    return { ...node, z, ...places[index], id: ids[index] ?? '', wires: [next === undefined ? [] : [next]] };
  });
}

/**
 * The interval that keeps the widget up to date. None if the node already has one, or waits for messages: its input is
 * connected, or a property is taken from the message.
 */
function startInterval(node: AnyNode): Change[] {
  if (node['interval'] === undefined || Number(node['interval']) !== 0) return [];
  const takesMessages = Object.entries(node).some(([name, value]) => name.endsWith('Type') && value === 'msg');
  if (takesMessages || RED.nodes.filterLinks({ target: { id: node.id } }).length > 0) return [];
  return [{ node, property: 'interval', value: intervalOf(node) }];
}

function intervalOf(node: AnyNode): number {
  if (!['day_current', 'now'].includes(subjectOf(node).when)) return intervals.others;
  const connection = RED.nodes.node(textFrom(node['connection']));
  return connection?.['mode'] === 'remote' ? intervals.today.remote : intervals.today.others;
}
