/** Where the HMAC keys are: entered in this dialog, or somewhere that holds one for each installation. */
import {
  isSafeKeyName,
  keySources,
  normalizePath,
  sharesKey,
  type KeySource,
  type WebhookInConfig,
} from '../../cemm-webhook-in/config';
import { textFrom, type OpenForm } from './open-form';
import type { EditorNode, Validator } from './red';
import type { Translate } from './text';
import { sentenceOf } from './validators';

const hints: Readonly<Record<KeySource, string | null>> = {
  credential: null,
  env: 'hint.keyFromEnv',
  flow: 'hint.keyFromContext',
  global: 'hint.keyFromContext',
  jsonata: 'hint.keyFromExpression',
};

/** The fields for the node's own keys are there only where these are the ones that count. */
export function prepareKeySource(text: Translate): void {
  const field = $('#node-input-hmacKeyFrom');
  const own = { value: 'credential', label: text('keyFrom.credential'), hasValue: false };
  field.typedInput({
    types: [own, ...keySources.filter((source) => source !== 'credential')],
    typeField: '#node-input-hmacKeyFromType',
  });
  const show = (): void => {
    const source = keySources.find((known) => known === field.typedInput('type')) ?? 'credential';
    const hint = hints[source];
    $('.cemm-webhook-own-key').toggle(source === 'credential');
    $('#cemm-webhook-from-hint').text(hint === null ? '' : text(hint));
    $('#cemm-webhook-context-note').toggle(source === 'flow' || source === 'global');
    const isTicked = (way: string): boolean => $(`#node-input-${way}`).is(':checked');
    const ways = { hmac: isTicked('hmac'), header: isTicked('header'), query: isTicked('query') };
    const path = normalizePath(textFrom($('#node-input-path').val()));
    $('#cemm-webhook-shared-key').toggle(sharesKey(path, { ...ways, hmacKeyFromType: source }));
  };
  field.on('change', show);
  $('#node-input-path, #node-input-hmac, #node-input-header, #node-input-query').on('change input', show);
  show();
}

/** Unlike elsewhere a variable does not make everything right: the name of a key must not be all parameter. */
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
      return sentenceOf(nodeType, { key: 'check.hmacKeyFrom' }, options.label);
    }
    return type === 'env' ? true : RED.utils.validateTypedProperty(value, type, options);
  };
}
