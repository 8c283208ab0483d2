/** The fields for keys: where each key is, whether one is missing, and whether it is long enough. */
import { holdsVariable } from '../../lib/editor/checks';
import { type OpenForm, textFrom } from '../../lib/editor/open-form';
import type { CatalogueText } from '../../lib/editor/catalogue';
import {
  isSafeKeyName,
  type KeySource,
  keySources,
  normalizePath,
  sharesKey,
  shortestKey,
  type WebhookInConfig,
} from '../config';
import { untouched } from '../../lib/stored/config';
import type { EditorNode, Validator } from '../../lib/editor/red';
import { mayHavePassword } from '../../lib/editor/stored-passwords';
import { problemSentence, textValidator } from '../../lib/editor/validators';
import { nameTypedInput } from '../../lib/editor/dashboard/widget-names';

const hints: Readonly<Record<KeySource, string | null>> = {
  credential: null,
  env: 'hint.keyFromEnv',
  flow: 'hint.keyFromContext',
  global: 'hint.keyFromContext',
  jsonata: 'hint.keyFromExpression',
};

/** Shows the fields for keys only if the keys are entered in this dialog. */
export function prepareKeySource(text: CatalogueText): void {
  const field = $('#node-input-hmacKeyFrom');
  const own = { value: 'credential', label: text('keyFrom.credential'), hasValue: false };
  field.typedInput({
    types: [own, ...keySources.filter((source) => source !== 'credential')],
    typeField: '#node-input-hmacKeyFromType',
  });
  nameTypedInput(field);
  const show = (): void => {
    const source = keySources.find((known) => known === field.typedInput('type')) ?? 'credential';
    const hint = hints[source];
    $('.cemm-webhook-own-key').toggle(source === 'credential');
    $('#cemm-webhook-from-hint').text(hint === null ? '' : text(hint));
    $('#cemm-webhook-context-note').toggle(source === 'flow' || source === 'global');
    const isTicked = (way: string): boolean => $(`#node-input-${way}`).is(':checked');
    const ways = { hmac: isTicked('hmac'), header: isTicked('header'), query: isTicked('query') };
    const path = normalizePath(textFrom($('#node-input-path').val()));
    $('#cemm-webhook-shared-key').toggle(
      sharesKey(path, { ...ways, hmacKeyFromType: source, hmacKeyFrom: textFrom(field.typedInput('value')) }),
    );
  };
  field.on('change', show);
  $('#node-input-path, #node-input-hmac, #node-input-header, #node-input-query').on('change input', show);
  show();
}

/** 32 random bytes as 64 hex digits, which a person can copy without loss. */
function generateKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Accepts a short key, because monitors in use have one, and keeps a warning below the field. */
export function prepareKeys(text: CatalogueText): void {
  const field = $('#node-input-hmacKey');
  // A stored key is not in the dialog, so only a generated one can be copied.
  const copy = $('#cemm-webhook-copy-key');
  for (const name of ['hmacKey', 'headerKey', 'queryKey'] as const) {
    const typed = $(`#node-input-${name}`);
    typed.on('input change', () => {
      const key = textFrom(typed.val());
      const isTyped = key !== '' && key !== untouched && !holdsVariable(key);
      const isShort = isTyped && key.length < shortestKey;
      $(`#cemm-webhook-short-${name}`).text(isShort ? `⚠ ${text('notice.shortKey', { count: shortestKey })}` : '');
    });
  }
  $('#cemm-webhook-generate').on('click', () => {
    field.attr('type', 'text').val(generateKey()).trigger('change').trigger('select');
    $('#cemm-webhook-key-hint').text(text('hint.generated'));
    copy.show();
  });
  copy.on('click', () => {
    RED.clipboard.copyText(textFrom(field.val()));
    RED.notify(text('notice.keyCopied'), 'success');
  });
  $('#node-input-hmacKey, #node-input-headerKey, #node-input-queryKey').on('change', function () {
    const value = $(this).val();
    if (typeof value === 'string' && value !== value.trim()) RED.notify(text('notice.blankKey'), 'warning');
  });
}

type KeyName = 'hmacKey' | 'headerKey' | 'queryKey';

/** Validator of a key field. */
export function keyValidator(
  nodeType: string,
  key: KeyName,
  isAsked: (node: EditorNode<WebhookInConfig>) => boolean,
): Validator<WebhookInConfig> {
  return textValidator(nodeType, (value, node) =>
    value.trim() !== '' || !isAsked(node) ? true : { key: missingKeyCheck(key) },
  );
}

/** Validator of a method's checkbox. It marks a closed node without a key; the key field exists only in an open dialog. */
export function keyOfClosedForm(
  nodeType: string,
  form: OpenForm,
  key: KeyName,
  isAsked: (node: EditorNode<WebhookInConfig>) => boolean,
): Validator<WebhookInConfig> {
  return textValidator(nodeType, (_value, node) =>
    form.isOpen(node) || !isAsked(node) || mayHavePassword(node, key) ? true : { key: missingKeyCheck(key) },
  );
}

function missingKeyCheck(key: KeyName): string {
  return key === 'hmacKey' ? 'check.keyMissing' : 'check.otherKeyMissing';
}

/** A variable alone is not valid here: the name of a key must have text besides the parameters. */
export function keySourceValidator(
  nodeType: string,
  form: OpenForm,
  isAsked: (node: EditorNode<WebhookInConfig>) => boolean,
): Validator<WebhookInConfig> {
  return function (value, options) {
    const type = form.textOf(this, 'hmacKeyFromType');
    if (!isAsked(this) || type === 'credential' || type === '') return true;
    const name = textFrom(value).trim();
    const path = normalizePath(form.textOf(this, 'path'));
    if (name === '' || (type === 'env' && !isSafeKeyName(name, path))) {
      return problemSentence(nodeType, { key: 'check.hmacKeyFrom' }, options.label);
    }
    return type === 'env' ? true : RED.utils.validateTypedProperty(value, type, options);
  };
}
