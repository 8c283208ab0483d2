/** The address to enter at the monitor, as the browser sees this Node-RED. */
import { member, numberMember } from './admin-call';
import { textFrom } from './open-form';
import type { Translate } from './text';
import { adminRoutes, normalizePath, parameterNames, parsePort } from '../../cemm-webhook-in/config';

/** What the form says, as far as the address depends on it. */
interface AddressForm {
  readonly isOwn: boolean;
  readonly path: string;
  readonly port: string;
  readonly bind: string;
  readonly isSecure: boolean;
  /** Name of the key in the address, or null. */
  readonly queryName: string | null;
}

/** Behind a proxy the browser's own location is the best anybody knows. */
export function fullAddress({ isOwn, path, port, bind, isSecure, queryName }: AddressForm): string {
  const query = queryName === null ? '' : `?${encodeURIComponent(queryName)}=…`;
  if (isOwn) {
    const isEvery = bind === '0.0.0.0' || bind === '::' || bind.includes('$');
    const host = isEvery ? location.hostname : bind.includes(':') ? `[${bind}]` : bind;
    return `${isSecure ? 'https:' : 'http:'}//${host}:${port}${normalizePath(path)}${query}`;
  }
  const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/+$/, '');
  return `${location.protocol}//${location.host}${root}${normalizePath(path)}${query}`;
}

export function prepareAddressBox(nodeId: string, text: Translate): void {
  /** What a variable in the field stood for at the deploy; null where that is not known. */
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
    // A monitor that is told "localhost" calls itself.
    const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);
    const isFleet = parameterNames(normalizePath(path)).length > 0;
    const hint = isLocal ? 'hint.addressLocal' : isFleet ? 'hint.addressFleet' : 'hint.address';
    $('#cemm-webhook-address-hint').text(text(hint));
    $('#cemm-webhook-port-hint').text(text('hint.port', { port }));
    $('.cemm-webhook-own-port').toggle(isOwn);
    $('#cemm-webhook-auth').toggle(hasNodeAuth && !isOwn);
    // Only somebody with a name can send a test to many.
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

/** The clipboard of modern browsers is there for secure pages only, and many a Node-RED is served without TLS. */
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
