/**
 * The address to enter in the monitor. It combines Node-RED's settings, the address of the editor in the browser, and the
 * network addresses of this machine.
 */
import { readMember } from '../../../src/checks/record';
import { listMember, numberMember, post, textMember } from '../../lib/editor/admin-calls';
import type { CatalogueText } from '../../lib/editor/catalogue';
import { isLoopback } from '../../lib/editor/opened-at';
import { createPick, markPick } from '../../lib/editor/form-parts';
import { textFrom } from '../../lib/editor/open-form';
import { adminRoutes, type AppServer, normalizePath, parameterNames, parsePort } from '../config';
import {
  type AddressForm,
  appOf,
  type Candidate,
  candidatesOf,
  guessedHost,
  type Runtime,
  type Situation,
  situationOf,
  type Surroundings,
  type Way,
} from './candidates';

/** The destination of the dialog's test. */
export interface ChosenAddress {
  readonly way: Way;
  readonly host: string;
  readonly address: string;
}

function readRuntime(network: unknown): Runtime {
  const shared = readMember(network, 'shared');
  const [port, bind] = [numberMember(shared, 'port'), textMember(shared, 'bind')];
  const isSecure = readMember(shared, 'isSecure') === true;
  return {
    adminRoot: textMember(network, 'admin') ?? '/',
    addresses: listMember(network, 'addresses').flatMap((entry) => {
      const address = textMember(entry, 'address');
      return address === null ? [] : [{ address, name: textMember(entry, 'name') ?? '' }];
    }),
    shared: port === null || bind === null ? null : { isSecure, port, bind },
    app: readApp(readMember(network, 'app')),
  };
}

function readApp(app: unknown): AppServer | null {
  if (typeof app !== 'object' || app === null) return null;
  const isKnown = readMember(app, 'isKnown') === true;
  return { isSecure: readMember(app, 'isSecure') === true, port: numberMember(app, 'port'), isKnown };
}

export function prepareAddressBox(nodeId: string, text: CatalogueText): () => ChosenAddress {
  let runtime: Runtime | null = null;
  /** The value of the port's variable at the last deploy; null if unknown. */
  let deployedPort: number | null = null;
  let hasNodeAuth = false;
  let pickedHost: string | null = null;
  let pickedWay: Way | null = null;
  const fieldValue = (name: string): string => textFrom($(`#node-input-${name}`).val()).trim();
  const box = $('#cemm-webhook-address');

  const readForm = (): AddressForm => {
    const tls = fieldValue('tls');
    const queryName = $('#node-input-query').is(':checked') ? fieldValue('queryName') : null;
    return {
      isOwn: fieldValue('listen') === 'own',
      path: `${normalizePath(fieldValue('path'))}${queryName === null ? '' : `?${encodeURIComponent(queryName)}=…`}`,
      port: String(parsePort(fieldValue('port')) ?? deployedPort ?? fieldValue('port')),
      bind: fieldValue('bind'),
      isSecure: tls !== '' && tls !== '_ADD_',
    };
  };
  const readAll = () => {
    const form = readForm();
    const nodeRoot = RED.settings.httpNodeRoot ?? '/';
    const { origin, hostname, pathname } = location;
    const surroundings: Surroundings = { opened: { origin, hostname, pathname }, nodeRoot, runtime };
    const candidates = candidatesOf(form, surroundings, pickedHost);
    const ofForm = candidates.filter(({ way }) => (way === 'own') === form.isOwn);
    const chosen = ofForm.find(({ way }) => way === pickedWay) ?? ofForm[0];
    return { form, surroundings, candidates, chosen, situation: situationOf(surroundings) };
  };
  const show = (): void => {
    const { form, surroundings, candidates, chosen, situation } = readAll();
    const address = chosen?.address ?? '';
    box.val(address);
    const isFleet = parameterNames(normalizePath(fieldValue('path'))).length > 0;
    const hosts = chosen?.hasHosts === true ? (runtime?.addresses ?? []) : [];
    $('#cemm-webhook-address-hint').text(text(`hint.${hintOf(chosen, situation, isFleet, hosts.length > 0)}`));
    const bind = runtime?.shared?.bind ?? '';
    const port = runtime?.shared?.port ?? '';
    const situationText =
      situation === 'open' ? '' : text(`situation.${situation}`, { place: location.host, bind, port });
    $('#cemm-webhook-situation')
      .text(situationText)
      .toggle(situationText !== '');
    showWays(situation === 'open' ? [] : candidates, chosen, surroundings);
    showHosts(hosts, pickedHost ?? guessedHost(surroundings, situation));
    $('#cemm-webhook-port-hint').text(text(situation === 'app' ? 'hint.portApp' : 'hint.port', { port: form.port }));
    $('.cemm-webhook-own-port').toggle(form.isOwn);
    $('#cemm-webhook-auth').toggle(hasNodeAuth && !form.isOwn);
    // A test for many installations has to name one, because each has its own key.
    $('#cemm-webhook-installation-row').toggle(isFleet);
    if (isFleet) $('#cemm-webhook-fleet').prop('open', true);
  };
  const showWays = (candidates: readonly Candidate[], chosen: Candidate | undefined, from: Surroundings): void => {
    const chips = candidates.map(({ way, address }) =>
      createChoice(
        '#cemm-picks-way',
        way === chosen?.way,
        address,
        $('<em>').text(text(`way.${wayText(way, from)}`)),
        () => {
          pickedWay = way;
          $('#node-input-listen')
            .val(way === 'own' ? 'own' : 'shared')
            .trigger('change');
        },
      ),
    );
    const wide = chips.map((chip) => chip.addClass('cemm-found'));
    replacePicks('#cemm-picks-way', wide);
  };
  const showHosts = (offered: Runtime['addresses'], chosen: string): void => {
    const chips = offered.map(({ address, name }) =>
      createChoice('#cemm-picks-address', address === chosen, address, $('<span>').text(name), () => {
        pickedHost = address;
        show();
      }),
    );
    replacePicks('#cemm-picks-address', chips);
  };

  $('#node-input-path, #node-input-port, #node-input-bind, #node-input-queryName').on('input change', show);
  $('#node-input-listen, #node-input-tls, #node-input-query').on('change', show);
  show();
  // A user without write permission gets no network addresses.
  const network = post(adminRoutes.network, {});
  void $.getJSON(adminRoutes.server, { id: nodeId }).done((info: unknown) => {
    void network.then((reply) => {
      deployedPort = numberMember(info, 'port');
      hasNodeAuth = readMember(info, 'auth') === true;
      runtime = reply.ok ? readRuntime(reply.body) : null;
      show();
    });
  });
  $('#cemm-webhook-copy').on('click', () => {
    RED.clipboard.copyText(textFrom(box.val()));
    RED.notify(text('notice.copied'), 'success');
  });
  return () => {
    const { chosen, surroundings, situation } = readAll();
    const host = pickedHost ?? guessedHost(surroundings, situation);
    return { way: chosen?.way ?? 'direct', host, address: chosen?.address ?? '' };
  };
}

/** Asks for the part of the address that only the user knows. */
function hintOf(chosen: Candidate | undefined, situation: Situation, isFleet: boolean, hasChoice: boolean): string {
  if (chosen === undefined) return 'addressNone';
  if (isFleet) return 'addressFleet';
  if (isLoopback(chosen.address)) return situation === 'local' ? 'addressInside' : 'addressLocal';
  if (chosen.way === 'proxy') return 'addressProxy';
  if (situation === 'app') return 'addressApp';
  return hasChoice ? 'addressChoice' : 'address';
}

/** Explains one way to the user. */
function wayText(way: Way, from: Surroundings): string {
  const app = appOf(from);
  if (app === null || way === 'proxy') return way === 'direct' && situationOf(from) === 'local' ? 'inside' : way;
  if (way === 'own') return 'ownInApp';
  return !app.isKnown ? 'appUnknown' : app.isSecure ? 'appSecure' : 'app';
}

function createChoice(list: string, isPicked: boolean, address: string, more: JQuery, choose: () => void): JQuery {
  return markPick(createPick(address, more), isPicked).on('click', () => {
    choose();
    $(`${list} .cemm-picked`).trigger('focus');
  });
}

/**
 * Keeps unchanged buttons in the page. A click on one leaves a field, the change of that field lists the buttons again, and a
 * replaced button would miss the click.
 */
function replacePicks(list: string, chips: readonly JQuery[]): void {
  const shown = chips.map((chip) => `${chip.attr('aria-pressed') ?? ''} ${chip.text()}`).join('\n');
  if ($(list).data('shown') === shown) return;
  $(list)
    .data('shown', shown)
    .empty()
    .append([...chips]);
}
