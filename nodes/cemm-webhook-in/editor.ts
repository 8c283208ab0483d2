/** The dialog of the node that receives webhooks. */
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { openUsedParts } from '../lib/editor/fields';
import type { CheckResult } from '../lib/stored/field-rules';
import { openForm } from '../lib/editor/open-form';
import type { EditorNode } from '../lib/editor/red';
import { createCatalogueText } from '../lib/editor/catalogue';
import { dialogOf } from '../lib/editor/dialog';
import { ruledNode } from '../lib/editor/rule-validators';
import { textValidator } from '../lib/editor/validators';
import { migrated } from '../lib/stored/migrate';
import { prepareAddressBox } from './dialog/address';
import { keyOfClosedForm, keySourceValidator, keyValidator, prepareKeys, prepareKeySource } from './dialog/keys';
import { neighbourProblem } from './dialog/neighbours';
import { normalizePath, type WebhookInConfig, webhookInDefaults, webhookInFields } from './config';
import * as fieldChecks from './field-checks';
import { prepareRecordPanel } from './dialog/record';
import { prepareTestPanel } from './dialog/test';

const type = 'cemm-webhook-in';
const form = openForm('node-input', webhookInDefaults);
const text = createCatalogueText(type);

type Way = 'hmac' | 'header' | 'query';
const ways: readonly Way[] = ['hmac', 'header', 'query'];

function usesKeyIn(node: EditorNode<WebhookInConfig>, name: Way): boolean {
  return form.isOpen(node) ? $(`#node-input-${name}`).is(':checked') : migrated(webhookInDefaults, node)[name];
}

/** Checks the rules, and whether the path is free. */
function path(value: string, node: EditorNode<WebhookInConfig>): CheckResult {
  const result = fieldChecks.path(value, ruledNode(form, node));
  return result === true ? (neighbourProblem(normalizePath(value), node, form) ?? true) : result;
}

const { port, bind, headerName, queryName, monitors } = fieldChecks;

/** True if the key is entered in this node, as in every flow of an older release. */
function hasOwnKey(node: EditorNode<WebhookInConfig>): boolean {
  const source = form.textOf(node, 'hmacKeyFromType');
  return usesKeyIn(node, 'hmac') && (source === 'credential' || source === '');
}

const asksFor = {
  hmacKey: hasOwnKey,
  headerKey: (node: EditorNode<WebhookInConfig>) => usesKeyIn(node, 'header'),
  queryKey: (node: EditorNode<WebhookInConfig>) => usesKeyIn(node, 'query'),
} as const;

function prepareListenFields(node: Partial<WebhookInConfig>): void {
  $('#node-input-listen').on('change', () => {
    // These checks depend on the place where the node listens.
    $('#node-input-path, #node-input-port, #node-input-bind').trigger('change');
  });
  openUsedParts('node-input', node, webhookInDefaults);
}

const dialog = dialogOf(type, {
  form,
  defaults: webhookInDefaults,
  rules: webhookInFields,
  outputs: ['port.deliveries', 'port.problems'],
  checks: { port, bind, headerName, queryName, monitors },
  special: {
    path: { validate: textValidator(type, path) },
    hmac: { validate: keyOfClosedForm(type, form, 'hmacKey', asksFor.hmacKey) },
    header: { validate: keyOfClosedForm(type, form, 'headerKey', asksFor.headerKey) },
    query: { validate: keyOfClosedForm(type, form, 'queryKey', asksFor.queryKey) },
    hmacKeyFrom: { validate: keySourceValidator(type, form, (node) => usesKeyIn(node, 'hmac')) },
    open: {
      validate: textValidator(type, (value, node) => {
        const isOpen = form.isOpen(node) ? $('#node-input-open').is(':checked') : value === 'true';
        return isOpen || ways.some((way) => usesKeyIn(node, way)) ? true : { key: 'check.noProof' };
      }),
    },
  },
});

RED.nodes.registerType<WebhookInConfig>('cemm-webhook-in', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-webhook-in.svg',
  inputs: 0,
  outputs: 2,
  ...dialog,
  credentials: {
    hmacKey: { type: 'password', validate: keyValidator(type, 'hmacKey', asksFor.hmacKey) },
    previousHmacKey: { type: 'password' },
    headerKey: { type: 'password', validate: keyValidator(type, 'headerKey', asksFor.headerKey) },
    queryKey: { type: 'password', validate: keyValidator(type, 'queryKey', asksFor.queryKey) },
  },
  label() {
    const { name, path } = migrated(webhookInDefaults, this);
    return name || this._('label', { path });
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
    prepareRecordPanel(this.id, text);
    prepareDashboardButtons(this);
  },
  oneditsave() {
    if ($('#node-input-tls').val() === '_ADD_') $('#node-input-tls').val('');
    dialog.oneditsave.call(this);
  },
});
