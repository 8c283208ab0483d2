/** The address to enter in the monitor, with the addresses that this machine has in the network to choose from. */
import { listMember, member, numberMember, post, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { textFrom } from '../lib/editor/open-form';
import { adminRoutes, normalizePath, parameterNames, parsePort } from './config';

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

/** What Node-RED says about itself; nothing is known before it has answered. */
interface Server {
  /** The value of a variable in the field at the last deploy; null where it is not known. */
  readonly deployedPort: number | null;
  readonly hasNodeAuth: boolean;
  readonly addresses: readonly { readonly address: string; readonly name: string }[];
  /** Of the port of Node-RED; null where it has none of its own. */
  readonly shared: { readonly origin: string; readonly port: number; readonly bind: string } | null;
}

const unknown: Server = { deployedPort: null, hasNodeAuth: false, addresses: [], shared: null };

function readServer(info: unknown, network: unknown): Server {
  const shared = member(network, 'shared');
  const [port, bind] = [numberMember(shared, 'port'), textMember(shared, 'bind')];
  return {
    deployedPort: numberMember(info, 'port'),
    hasNodeAuth: member(info, 'auth') === true,
    addresses: listMember(network, 'addresses').flatMap((entry) => {
      const address = textMember(entry, 'address');
      return address === null ? [] : [{ address, name: textMember(entry, 'name') ?? '' }];
    }),
    shared:
      port === null || bind === null
        ? null
        : { origin: member(shared, 'isSecure') === true ? 'https:' : 'http:', port, bind },
  };
}

/** Behind a proxy only the location of the browser is known: where no other host is chosen, it stands for this machine. */
function fullAddress(form: AddressForm, { shared }: Server, chosen: string | null): string {
  const { isOwn, path, port, bind, isSecure, queryName } = form;
  const rest = `${normalizePath(path)}${queryName === null ? '' : `?${encodeURIComponent(queryName)}=…`}`;
  if (isOwn) {
    const fixed = bind.includes(':') ? `[${bind}]` : bind;
    const host = isEvery(bind) || bind.includes('$') ? (chosen ?? location.hostname) : fixed;
    return `${isSecure ? 'https:' : 'http:'}//${host}:${port}${rest}`;
  }
  const root = (RED.settings.httpNodeRoot ?? '/').replace(/\/+$/, '');
  const origin = chosen === null || shared === null ? location.origin : `${shared.origin}//${chosen}:${shared.port}`;
  return `${origin}${root}${rest}`;
}

function isEvery(bind: string): boolean {
  return bind === '0.0.0.0' || bind === '::';
}

/** A monitor that sends to "localhost" sends to itself. */
function isLocal(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);
}

export function prepareAddressBox(nodeId: string, text: CatalogueText): void {
  let server = unknown;
  let picked: string | null = null;
  const value = (name: string): string => textFrom($(`#node-input-${name}`).val()).trim();
  const box = $('#cemm-webhook-address');

  const readForm = (): AddressForm => {
    const tls = value('tls');
    return {
      isOwn: value('listen') === 'own',
      path: value('path'),
      port: String(parsePort(value('port')) ?? server.deployedPort ?? value('port')),
      bind: value('bind'),
      isSecure: tls !== '' && tls !== '_ADD_',
      queryName: $('#node-input-query').is(':checked') ? value('queryName') : null,
    };
  };
  /** Where only one address is listened on, there is nothing to choose. */
  const choices = ({ isOwn, bind }: AddressForm): Server['addresses'] => {
    const listening = isOwn ? bind : server.shared?.bind;
    return listening !== undefined && isEvery(listening) ? server.addresses : [];
  };
  const show = (): void => {
    const form = readForm();
    const offered = choices(form);
    // The first is a better guess than an address that cannot be right.
    const guess = isLocal(`${location.origin}/`) ? offered[0]?.address : undefined;
    const chosen = picked ?? guess ?? null;
    const address = fullAddress(form, server, offered.length === 0 ? null : chosen);
    box.val(address);
    const isFleet = parameterNames(normalizePath(form.path)).length > 0;
    const several = offered.length > 0 ? 'hint.addressChoice' : 'hint.address';
    const hint = isLocal(address) ? 'hint.addressLocal' : isFleet ? 'hint.addressFleet' : several;
    $('#cemm-webhook-address-hint').text(text(hint));
    showPicks(offered, chosen);
    $('#cemm-webhook-port-hint').text(text('hint.port', { port: form.port }));
    $('.cemm-webhook-own-port').toggle(form.isOwn);
    $('#cemm-webhook-auth').toggle(server.hasNodeAuth && !form.isOwn);
    // A test for many installations has to name one, and each has a key of its own.
    $('#cemm-webhook-installation-row').toggle(isFleet);
    if (isFleet) $('#cemm-webhook-fleet').prop('open', true);
  };
  const showPicks = (offered: Server['addresses'], chosen: string | null): void => {
    const chips = offered.map(({ address, name }) =>
      $('<button>')
        .attr({ type: 'button', 'aria-pressed': String(address === chosen) })
        .addClass('cemm-pick')
        .toggleClass('cemm-picked', address === chosen)
        .append($('<strong>').text(address), ' ', $('<span>').text(name))
        .on('click', () => {
          picked = address;
          show();
          $('#cemm-picks-address .cemm-picked').trigger('focus');
        }),
    );
    $('#cemm-picks-address').empty().append(chips);
  };

  $('#node-input-path, #node-input-port, #node-input-bind, #node-input-queryName').on('input change', show);
  $('#node-input-listen, #node-input-tls, #node-input-query').on('change', show);
  show();
  // A user without write permission gets no addresses.
  const network = post(adminRoutes.network, {});
  void $.getJSON(adminRoutes.server, { id: nodeId }).done((info: unknown) => {
    void network.then((reply) => {
      server = readServer(info, reply.ok ? reply.body : null);
      show();
    });
  });
  $('#cemm-webhook-copy').on('click', () => {
    RED.clipboard.copyText(textFrom(box.val()));
    RED.notify(text('notice.copied'), 'success');
  });
}
