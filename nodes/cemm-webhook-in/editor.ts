/** The dialog of the node that receives webhooks. */
import { openUsedParts, saveForm } from '../lib/editor/fields';
import type * as checks from '../lib/editor/checks';
import { openForm } from '../lib/editor/open-form';
import type { EditorNode } from '../lib/editor/red';
import { catalogueOf } from '../lib/editor/catalogue';
import { ruledNode, ruleValidators } from '../lib/editor/rule-validators';
import { textValidator } from '../lib/editor/validators';
import { migrated } from '../lib/migrate';
import { prepareAddressBox } from './editor-address';
import { keyOfClosedForm, keySourceValidator, keyValidator, prepareKeys, prepareKeySource } from './editor-keys';
import { neighbourProblem } from './editor-neighbours';
import { normalizePath, type WebhookInConfig, webhookInDefaults, webhookInFields } from './config';
import * as fieldChecks from './field-checks';
import { prepareTestPanel } from './editor-test';

const type = 'cemm-webhook-in';
const form = openForm('node-input', webhookInDefaults);
const text = catalogueOf(type);

type Way = 'hmac' | 'header' | 'query';
const ways: readonly Way[] = ['hmac', 'header', 'query'];

function isTicked(node: EditorNode<WebhookInConfig>, name: Way): boolean {
  return form.isOpen(node) ? $(`#node-input-${name}`).is(':checked') : migrated(webhookInDefaults, node)[name];
}

/** Checks the rules, and whether the path is free. */
function path(value: string, node: EditorNode<WebhookInConfig>): checks.CheckResult {
  const result = fieldChecks.path(value, ruledNode(form, node));
  return result === true ? (neighbourProblem(normalizePath(value), node, form) ?? true) : result;
}

const { port, bind, headerName, queryName, monitors } = fieldChecks;
const ruled = ruleValidators<WebhookInConfig>(type, form, webhookInFields(), {
  port,
  bind,
  headerName,
  queryName,
  monitors,
});

/** True if the key is entered in this node, as in every flow of an older release. */
function hasOwnKey(node: EditorNode<WebhookInConfig>): boolean {
  const source = form.textOf(node, 'hmacKeyFromType');
  return isTicked(node, 'hmac') && (source === 'credential' || source === '');
}

const asksFor = {
  hmacKey: hasOwnKey,
  headerKey: (node: EditorNode<WebhookInConfig>) => isTicked(node, 'header'),
  queryKey: (node: EditorNode<WebhookInConfig>) => isTicked(node, 'query'),
} as const;

function prepareListenFields(node: Partial<WebhookInConfig>): void {
  $('#node-input-listen').on('change', () => {
    // These checks depend on the place where the node listens.
    $('#node-input-path, #node-input-port, #node-input-bind').trigger('change');
  });
  openUsedParts('node-input', node, webhookInDefaults);
}

RED.nodes.registerType<WebhookInConfig>('cemm-webhook-in', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-webhook-in.svg',
  inputs: 0,
  outputs: 2,
  defaults: {
    name: { value: webhookInDefaults.name },
    path: { value: webhookInDefaults.path, validate: textValidator(type, path) },
    listen: { value: webhookInDefaults.listen },
    port: { value: webhookInDefaults.port, validate: ruled('port') },
    bind: { value: webhookInDefaults.bind, validate: ruled('bind') },
    tls: { value: webhookInDefaults.tls, type: 'tls-config', required: false },
    hmac: { value: webhookInDefaults.hmac, validate: keyOfClosedForm(type, form, 'hmacKey', asksFor.hmacKey) },
    header: { value: webhookInDefaults.header, validate: keyOfClosedForm(type, form, 'headerKey', asksFor.headerKey) },
    query: { value: webhookInDefaults.query, validate: keyOfClosedForm(type, form, 'queryKey', asksFor.queryKey) },
    hmacKeyFrom: {
      value: webhookInDefaults.hmacKeyFrom,
      validate: keySourceValidator(type, form, (node) => isTicked(node, 'hmac')),
    },
    hmacKeyFromType: { value: webhookInDefaults.hmacKeyFromType },
    headerName: { value: webhookInDefaults.headerName, validate: ruled('headerName') },
    queryName: { value: webhookInDefaults.queryName, validate: ruled('queryName') },
    open: {
      value: webhookInDefaults.open,
      validate: textValidator(type, (value, node) => {
        const isOpen = form.isOpen(node) ? $('#node-input-open').is(':checked') : value === 'true';
        return isOpen || ways.some((way) => isTicked(node, way)) ? true : { key: 'check.noProof' };
      }),
    },
    maxAge: { value: webhookInDefaults.maxAge, validate: ruled('maxAge') },
    monitors: { value: webhookInDefaults.monitors, validate: ruled('monitors') },
    expected: { value: webhookInDefaults.expected },
    meter: { value: webhookInDefaults.meter },
    channel: { value: webhookInDefaults.channel },
    connection: {
      value: webhookInDefaults.connection,
      type: 'cemm-connection',
      required: false,
      validate: ruled('connection'),
    },
    version: { value: webhookInDefaults.version },
  },
  credentials: {
    hmacKey: { type: 'password', validate: keyValidator(type, 'hmacKey', asksFor.hmacKey) },
    previousHmacKey: { type: 'password' },
    headerKey: { type: 'password', validate: keyValidator(type, 'headerKey', asksFor.headerKey) },
    queryKey: { type: 'password', validate: keyValidator(type, 'queryKey', asksFor.queryKey) },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    const { name, path } = migrated(webhookInDefaults, this);
    return name || this._('label', { path });
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  outputLabels(port) {
    return this._(port === 0 ? 'port.deliveries' : 'port.problems');
  },
  oneditprepare() {
    form.open(this);
    for (const way of ways) {
      const box = $(`#node-input-${way}`);
      const show = (): void => {
        $(`.cemm-webhook-${way}`).toggle(box.is(':checked'));
        // The checks of "open" and of the keys depend on the selected methods.
        $(`#node-input-open, #node-input-${way}Key`).trigger('change');
      };
      box.on('change', show);
      show();
    }
    prepareKeys(text);
    prepareKeySource(text);
    prepareListenFields(this);
    prepareTestPanel(this.id, text, prepareAddressBox(this.id, text));
  },
  oneditsave() {
    form.close();
    if ($('#node-input-tls').val() === '_ADD_') $('#node-input-tls').val('');
    saveForm(this, 'node-input', webhookInDefaults);
  },
  oneditcancel() {
    form.close();
  },
});
