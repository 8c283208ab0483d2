/** Two parts of the dialog: the address to enter in the monitor, and where the HMAC keys are. */
import { member, numberMember } from '../lib/editor/admin-calls';
import { type OpenForm, textFrom } from '../lib/editor/open-form';
import type { CatalogueText } from '../lib/editor/catalogue';
import {
  adminRoutes,
  isSafeKeyName,
  type KeySource,
  keySources,
  normalizePath,
  parameterNames,
  parsePort,
  sharesKey,
  type WebhookInConfig,
} from './config';
import type { EditorNode, Validator } from '../lib/editor/red';
import { sentenceOf } from '../lib/editor/validators';
import { nameTypedInput } from '../lib/editor/widget-names';

/** The parts of the form that the address depends on. */
interface AddressForm {
  readonly isOwn: boolean;
  readonly path: string;
  readonly port: string;
  readonly bind: string;
  readonly isSecure: boolean;
  /** Name of the key in the address, or null. */
  readonly queryName: string | null;
}

/** Behind a proxy only the location of the browser is known. */
function fullAddress({ isOwn, path, port, bind, isSecure, queryName }: AddressForm): string {
  const query = queryName === null ? '' : `?${encodeURIComponent(queryName)}=…`;
  if (isOwn) {
    const isEvery = bind === '0.0.0.0' || bind === '::' || bind.includes('$');
    const host = isEvery ? location.hostname : bind.includes(':') ? `[${bind}]` : bind;
    return `${isSecure ? 'https:' : 'http:'}//${host}:${port}${normalizePath(path)}${query}`;
  }
  const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/+$/, '');
  return `${location.protocol}//${location.host}${root}${normalizePath(path)}${query}`;
}

export function prepareAddressBox(nodeId: string, text: CatalogueText): void {
  /** The value of a variable in the field at the last deploy; null where it is not known. */
  let deployedPort: number | null = null;
  let hasNodeAuth = false;
  const value = (name: string): string => textFrom($(`#node-input-${name}`).val()).trim();
  const box = $('#cemm-webhook-address');
  const show = (): void => {
    const isOwn = value('listen') === 'own';
    const path = value('path');
    const port = parsePort(value('port')) ?? deployedPort ?? value('port');
    const tls = value('tls');
    const address = fullAddress({
      isOwn,
      path,
      port: String(port),
      bind: value('bind'),
      isSecure: tls !== '' && tls !== '_ADD_',
      queryName: $('#node-input-query').is(':checked') ? value('queryName') : null,
    });
    box.val(address);
    // A monitor that sends to "localhost" sends to itself.
    const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);
    const isFleet = parameterNames(normalizePath(path)).length > 0;
    const hint = isLocal ? 'hint.addressLocal' : isFleet ? 'hint.addressFleet' : 'hint.address';
    $('#cemm-webhook-address-hint').text(text(hint));
    $('#cemm-webhook-port-hint').text(text('hint.port', { port }));
    $('.cemm-webhook-own-port').toggle(isOwn);
    $('#cemm-webhook-auth').toggle(hasNodeAuth && !isOwn);
    // A test for many installations has to name one.
    $('#cemm-webhook-installation-row').toggle(isFleet);
  };
  $('#node-input-path, #node-input-port, #node-input-bind, #node-input-queryName').on('input change', show);
  $('#node-input-listen, #node-input-tls, #node-input-query').on('change', show);
  show();
  void $.getJSON(adminRoutes.server, { id: nodeId }).done((answer: unknown) => {
    deployedPort = numberMember(answer, 'port');
    hasNodeAuth = member(answer, 'auth') === true;
    show();
  });
  $('#cemm-webhook-copy').on('click', () => {
    copy(box);
    RED.notify(text('notice.copied'), 'success');
  });
}

/** The clipboard API exists on secure pages only, and many Node-REDs are served without TLS. */
function copy(box: JQuery): void {
  const clipboard = Reflect.get(navigator, 'clipboard') as Clipboard | undefined;
  if (clipboard !== undefined) {
    clipboard.writeText(textFrom(box.val())).catch(() => {
      copyBySelection(box);
    });
  } else copyBySelection(box);
}

function copyBySelection(box: JQuery): void {
  box.trigger('select');
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way on a page without TLS
  document.execCommand('copy');
}

const hints: Readonly<Record<KeySource, string | null>> = {
  credential: null,
  env: 'hint.keyFromEnv',
  flow: 'hint.keyFromContext',
  global: 'hint.keyFromContext',
  jsonata: 'hint.keyFromExpression',
};

/** Shows the fields for keys only where the keys are entered in this dialog. */
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
    $('#cemm-webhook-shared-key').toggle(sharesKey(path, { ...ways, hmacKeyFromType: source }));
  };
  field.on('change', show);
  $('#node-input-path, #node-input-hmac, #node-input-header, #node-input-query').on('change input', show);
  show();
}

/** A variable alone is not valid here: the name of a key must have text beside the parameters. */
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
