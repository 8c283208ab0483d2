/** The address to enter at the monitor, as the browser sees this Node-RED. */
import { textFrom } from './open-form';
import type { Translate } from './text';
import { normalizePath, parameterNames } from '../../cemm-webhook-in/config';

/** Where flows' addresses are served; behind a proxy the browser's own location is the best anybody knows. */
export function fullAddress(path: string, queryName: string | null): string {
  const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/+$/, '');
  const query = queryName === null ? '' : `?${encodeURIComponent(queryName)}=…`;
  return `${location.protocol}//${location.host}${root}${normalizePath(path)}${query}`;
}

export function prepareAddressBox(text: Translate): void {
  const path = $('#node-input-path');
  const query = $('#node-input-query');
  const queryName = $('#node-input-queryName');
  const box = $('#cemm-webhook-address');
  const show = (): void => {
    const name = query.is(':checked') ? textFrom(queryName.val()) : null;
    box.val(fullAddress(textFrom(path.val()), name));
    // A monitor that is told "localhost" calls itself.
    const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);
    const isFleet = parameterNames(normalizePath(textFrom(path.val()))).length > 0;
    const hint = isLocal ? 'hint.addressLocal' : isFleet ? 'hint.addressFleet' : 'hint.address';
    $('#cemm-webhook-address-hint').text(text(hint));
    // Only somebody with a name can send a test to many.
    $('#cemm-webhook-installation-row').toggle(isFleet);
  };
  path.on('input change', show);
  query.on('change', show);
  queryName.on('input change', show);
  show();
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
