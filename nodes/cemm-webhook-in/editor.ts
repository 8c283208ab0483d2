/** The dialog of the node that receives webhooks. */
import { leaveAbsent, saveNumber } from '../lib/editor/fields';
import * as checks from '../lib/editor/checks';
import { isIpAddress } from '../../src/limits';
import { untouched } from '../lib/dialog-requests';
import { openForm, textFrom } from '../lib/editor/open-form';
import type { EditorNode } from '../lib/editor/red';
import { catalogueOf } from '../lib/editor/catalogue';
import { connectionValidator, textValidator } from '../lib/editor/validators';
import { keySourceValidator, prepareAddressBox, prepareKeySource } from './editor-keys';
import {
  healthPath,
  isUsablePath,
  longestMaxAge,
  normalizePath,
  parsePort,
  shortestKey,
  type WebhookInConfig,
  webhookInDefaults,
} from './config';
import { prepareTestPanel } from './editor-test';

const type = 'cemm-webhook-in';
const form = openForm('node-input');
const text = catalogueOf(type);
let openId: string | null = null;

type Way = 'hmac' | 'header' | 'query';
const ways: readonly Way[] = ['hmac', 'header', 'query'];

function isTicked(node: EditorNode<WebhookInConfig>, name: Way): boolean {
  return node.id === openId ? $(`#node-input-${name}`).is(':checked') : node[name];
}

function isOwn(node: EditorNode<WebhookInConfig>): boolean {
  return form.textOf(node, 'listen') === 'own';
}

function path(value: string, node: EditorNode<WebhookInConfig>): checks.CheckResult {
  const normalized = normalizePath(value);
  if (!isUsablePath(normalized)) return { key: 'check.path' };
  return isOwn(node) && normalized.toLowerCase() === healthPath ? { key: 'check.pathHealth' } : true;
}

const port: checks.FieldCheck = (value) => (parsePort(value) === null ? { key: 'check.port' } : true);
const bind: checks.FieldCheck = (value) => (isIpAddress(value.trim()) ? true : { key: 'check.bind' });

/** What is set for a port of its own counts only there. */
function ifOwn(check: checks.FieldCheck) {
  return textValidator<WebhookInConfig>(type, (value, node) => (isOwn(node) ? check(value) : true));
}

const headerName: checks.FieldCheck = (value) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value.trim()) ? true : { key: 'check.headerName' };
const queryName: checks.FieldCheck = (value) => (value.trim() === '' ? { key: 'check.queryName' } : true);
const monitors: checks.FieldCheck = (value) =>
  value.split(/[\s,;]+/).every((part) => /^\d{0,15}$/.test(part)) ? true : { key: 'check.monitors' };

/** A name is used only where its way is ticked. */
function ifTicked(way: Way, check: checks.FieldCheck) {
  return textValidator<WebhookInConfig>(type, (value, node) => (isTicked(node, way) ? check(value) : true));
}

/** 32 random bytes as 64 hex digits: what a person can copy anywhere without loss. */
function generateKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A node of an older release has none of these properties. */
function prepareListenFields(node: Partial<WebhookInConfig> & { readonly id: string }): void {
  for (const name of ['listen', 'port', 'bind'] as const) {
    if (node[name] === undefined) $(`#node-input-${name}`).val(webhookInDefaults[name]);
  }
  $('#node-input-listen').on('change', () => {
    // Whether these are right depends on where the node listens.
    $('#node-input-path, #node-input-port, #node-input-bind').trigger('change');
  });
  prepareAddressBox(node.id, text);
}

function closeForm(): void {
  form.close();
  openId = null;
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
    port: { value: webhookInDefaults.port, validate: ifOwn(port) },
    bind: { value: webhookInDefaults.bind, validate: ifOwn(bind) },
    tls: { value: webhookInDefaults.tls, type: 'tls-config', required: false },
    hmac: { value: webhookInDefaults.hmac },
    header: { value: webhookInDefaults.header },
    query: { value: webhookInDefaults.query },
    hmacKeyFrom: {
      value: webhookInDefaults.hmacKeyFrom,
      validate: keySourceValidator(type, form, (node) => isTicked(node, 'hmac')),
    },
    hmacKeyFromType: { value: webhookInDefaults.hmacKeyFromType },
    headerName: { value: webhookInDefaults.headerName, validate: ifTicked('header', headerName) },
    queryName: { value: webhookInDefaults.queryName, validate: ifTicked('query', queryName) },
    open: {
      value: webhookInDefaults.open,
      validate: textValidator(type, (value, node) => {
        const isOpen = node.id === openId ? $('#node-input-open').is(':checked') : value === 'true';
        return isOpen || ways.some((way) => isTicked(node, way)) ? true : { key: 'check.noProof' };
      }),
    },
    maxAge: { value: webhookInDefaults.maxAge, validate: textValidator(type, checks.numberBetween(0, longestMaxAge)) },
    monitors: { value: webhookInDefaults.monitors, validate: textValidator(type, monitors) },
    expected: { value: webhookInDefaults.expected },
    meter: { value: webhookInDefaults.meter },
    channel: { value: webhookInDefaults.channel },
    connection: {
      value: webhookInDefaults.connection,
      type: 'cemm-connection',
      required: false,
      validate: connectionValidator(type, false),
    },
  },
  credentials: {
    hmacKey: { type: 'password' },
    previousHmacKey: { type: 'password' },
    headerKey: { type: 'password' },
    queryKey: { type: 'password' },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    return this.name || this._('label', { path: this.path });
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  outputLabels(port) {
    return this._(port === 0 ? 'port.deliveries' : 'port.problems');
  },
  oneditprepare() {
    form.open(this);
    openId = this.id;
    for (const way of ways) {
      const box = $(`#node-input-${way}`);
      const show = (): void => {
        $(`.cemm-webhook-${way}`).toggle(box.is(':checked'));
        // Whether "open" is right depends on the ways above it.
        $('#node-input-open').trigger('change');
      };
      box.on('change', show);
      show();
    }
    $('#cemm-webhook-generate').on('click', () => {
      $('#node-input-hmacKey').attr('type', 'text').val(generateKey()).trigger('change').trigger('select');
      $('#cemm-webhook-key-hint').text(text('hint.generated'));
    });
    $('#node-input-hmacKey, #node-input-headerKey, #node-input-queryKey').on('change', function () {
      const value = $(this).val();
      if (typeof value === 'string' && value !== value.trim()) RED.notify(text('notice.blankKey'), 'warning');
    });
    $('#node-input-hmacKey').on('change', function () {
      const key = textFrom($(this).val());
      const isNew = key !== '' && key !== untouched && !checks.holdsVariable(key);
      if (isNew && key.length < shortestKey) RED.notify(text('notice.shortKey', { count: shortestKey }), 'warning');
    });
    prepareKeySource(text);
    prepareListenFields(this);
    prepareTestPanel(this.id, text);
  },
  oneditsave() {
    closeForm();
    saveNumber(this, 'maxAge', '#node-input-maxAge');
    leaveAbsent(this, 'listen', '#node-input-listen', webhookInDefaults.listen);
    leaveAbsent(this, 'port', '#node-input-port', webhookInDefaults.port);
    leaveAbsent(this, 'bind', '#node-input-bind', webhookInDefaults.bind);
    if ($('#node-input-tls').val() === '_ADD_') $('#node-input-tls').val('');
    leaveAbsent(this, 'tls', '#node-input-tls', webhookInDefaults.tls);
    leaveAbsent(this, 'hmacKeyFrom', '#node-input-hmacKeyFrom', webhookInDefaults.hmacKeyFrom);
    leaveAbsent(this, 'hmacKeyFromType', '#node-input-hmacKeyFromType', webhookInDefaults.hmacKeyFromType);
  },
  oneditcancel() {
    closeForm();
  },
});
