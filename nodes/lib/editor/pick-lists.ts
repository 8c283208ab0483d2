/**
 * Lists the monitors and meters of the selected connection below their fields, even before the first deploy. Any text can still
 * be typed. A stored value that is not available stays, with a hint.
 */
import type { ChannelEntry, MeterEntry, MonitorEntry } from '../../cemm-connection/admin-answers';
import { type FieldKind, findFieldKind, unitOfField } from '../../../src/model/fields';
import { createCatalogueText, type CatalogueText } from './catalogue';
import { connectionRoutes } from '../../cemm-connection/config';
import { ask, readMeters, readMonitors, textMember } from './admin-calls';
import { createPick, markPick } from './form-parts';
import { chosenForm, isPublic } from './connection-form';
import { textFrom } from './open-form';

type PickField = 'monitor' | 'alias';

interface Pick {
  readonly value: string;
  readonly more: string;
}

const listed = new Map<string, readonly MeterEntry[]>();

/** The meters that a dialog has listed for a connection; empty if none has. */
export function listedMeters(connection: string): readonly MeterEntry[] {
  return listed.get(connection) ?? [];
}

/** With several monitors, the user has to select one first. */
const severalMonitors = { INPUT: 'form.picks.monitorFirst' } as const;

/**
 * Reads the meters of the chosen connection, anew when it or the monitor is another one.
 * @param isListed true for a connection whose meters are wanted
 * @param show gets the meters, and what is said in their place; blank: nothing
 */
export function followMeters(
  text: CatalogueText,
  isListed: (connection: string) => boolean,
  show: (meters: readonly MeterEntry[], problem: string) => void,
): void {
  const connection = $('#node-input-connection');
  const monitor = $('#node-input-monitor');
  let asked = '';
  const load = (): void => {
    const id = textFrom(connection.val());
    const form = isListed(id) ? chosenForm(id) : null;
    const request = form === null ? null : { ...form, monitor: chosenMonitor() };
    const key = JSON.stringify(request);
    if (key === asked) return;
    asked = key;
    show([], request === null ? '' : text('form.picks.loading'));
    if (request === null) return;
    void ask(connectionRoutes.meters, request, text, isPublic(id) ? {} : severalMonitors).then(({ body, problem }) => {
      if (key === asked) show(problem === null ? readMeters(body) : [], problem ?? '');
    });
  };
  connection.on('change', load);
  monitor.on('change', load);
  load();
}

/** Values of variables and message properties are unknown here. */
function chosenMonitor(): string {
  return fieldType('monitor') === 'str' ? textFrom($('#node-input-monitor').val()) : '';
}

/** Call from `oneditprepare`, after the typed inputs of these fields are created. */
export function preparePickLists(nodeType: string, fields: readonly PickField[]): void {
  const text = createCatalogueText(nodeType);
  const connection = $('#node-input-connection');
  const lists = fields.map((field) => preparePickList(field, text));
  const load = (): void => {
    const form = chosenForm(textFrom(connection.val()));
    // The meters depend on the monitor.
    for (const list of lists) {
      list.load(form === null ? null : list.field === 'alias' ? { ...form, monitor: chosenMonitor() } : form);
    }
  };
  connection.on('change', load);
  if (fields.includes('alias')) $('#node-input-monitor').on('change', load);
  load();
}

interface PickList {
  readonly field: PickField;
  load(request: object | null): void;
}

function preparePickList(field: PickField, text: CatalogueText): PickList {
  const input = $(`#node-input-${field}`);
  const box = $(`#cemm-picks-${field}`);
  const chips = $('<div>').attr({ role: 'group', 'aria-label': text(`form.${field}`) });
  // Screen readers announce its changes.
  const status = $('<div>').attr('role', 'status');
  box.append(chips, status);
  let asked = '';
  let picks: readonly Pick[] = [];
  let isKnown = false;

  const showText = (sentence: string): void => {
    chips.empty();
    status.text(sentence).removeClass('cemm-away');
  };
  // The buttons stay while the text changes: a button that is replaced between press and release misses the click.
  const build = (): void => {
    const buttons = picks.map(({ value, more }) =>
      createPick(value, $('<span>').text(more)).on('click', () => {
        choose(value);
      }),
    );
    chips.empty().append(...buttons);
  };
  const show = (): void => {
    if (!isKnown) return;
    const value = textFrom(input.val()).trim();
    const isText = fieldType(field) === 'str';
    const isChosen = (pick: Pick): boolean => isText && isSameChoice(field, pick.value, value);
    picks.forEach((pick, index) => {
      markPick(chips.children().eq(index), isChosen(pick));
    });
    const isAway = isText && value !== '' && !value.includes('${') && !picks.some(isChosen);
    status.text(isAway ? text('form.picks.away', { value }) : '').toggleClass('cemm-away', isAway);
  };
  const choose = (value: string): void => {
    input.typedInput('type', 'str');
    input.typedInput('value', value);
    input.trigger('change');
  };

  input.on('change', show);
  return {
    field,
    load(request) {
      const key = JSON.stringify(request);
      if (key === asked) return;
      asked = key;
      isKnown = false;
      if (request === null) {
        showText('');
        return;
      }
      showText(text('form.picks.loading'));
      const route = field === 'alias' ? connectionRoutes.meters : connectionRoutes.monitors;
      void ask(route, request, text, severalMonitors).then(({ body, problem }) => {
        if (key !== asked) return;
        if (problem !== null) {
          // A failed request is repeated with the next change, even if it is the same request.
          asked = '';
          showText(problem);
          return;
        }
        const meters = field === 'alias' ? readMeters(body) : [];
        if (field === 'alias') listed.set(textMember(request, 'id') ?? '', meters);
        picks = field === 'alias' ? meterPicks(meters, text) : monitorPicks(readMonitors(body));
        isKnown = true;
        build();
        show();
      });
    },
  };
}

function fieldType(field: PickField): string {
  return textFrom($(`#node-input-${field}Type`).val());
}

function isSameChoice(field: PickField, a: string, b: string): boolean {
  return field === 'monitor' ? sameMac(a, b) : a === b;
}

function meterPicks(meters: readonly MeterEntry[], text: CatalogueText): Pick[] {
  return meters.map((meter) => ({ value: meter.alias, more: describeMeter(meter, text) }));
}

function monitorPicks(monitors: readonly MonitorEntry[]): Pick[] {
  return monitors.map((monitor) => ({ value: monitor.mac, more: describeMonitor(monitor) }));
}

function describeMonitor({ name, version }: MonitorEntry): string {
  return [name, version].filter((part) => part !== null && part !== '').join(' · ');
}

/** The role of a meter, and its last value if there is one. */
export function describeMeter({ label, role, type, field, value }: MeterEntry, text: CatalogueText): string {
  const kind = role === null ? describeType(type, text) : text(`form.picks.role.${role}`);
  const last = field === null || value === null ? '' : valueWithUnit(field, value);
  return [label ?? '', kind, last].filter((part) => part !== '').join(' · ');
}

/** The type as the monitor sends it; only `electricity` is translated. */
function describeType(type: string | null, text: CatalogueText): string {
  return type === 'electricity' ? text('form.picks.electricity') : (type ?? '');
}

export function describeChannel({ label, unit }: ChannelEntry): string {
  return [label, unit].filter((part) => part !== null).join(' · ');
}

/** Null: shown with the name of the field, because few people know its unit. */
const digits: Readonly<Record<FieldKind, number | null>> = {
  power: 0,
  energy: 1,
  net_energy: 1,
  gas: 2,
  water: 2,
  volume: 2,
  volume_reading: 2,
  flow: null,
  voltage: null,
  current: null,
  price: null,
  tariff: null,
  raw: null,
  share: null,
  cost: null,
};

function valueWithUnit(field: string, value: number): string {
  const kind = findFieldKind(field);
  const most = kind === null ? null : digits[kind];
  const number = value.toLocaleString(undefined, { maximumFractionDigits: most ?? 2 });
  return most === null ? `${field} ${number}` : `${number} ${unitOfField(field) ?? ''}`;
}

/** Compares MAC addresses in any spelling. */
function sameMac(a: string, b: string): boolean {
  const digits = (mac: string): string => mac.toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits(a) === digits(b);
}
