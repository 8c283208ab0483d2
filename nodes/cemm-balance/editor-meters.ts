/** The collapsed section of counted meters: a list of names per role, with the meters of the monitor to choose from. */
import type { MeterEntry } from '../cemm-connection/admin-answers';
import type { CatalogueText } from '../lib/editor/catalogue';
import { isPublic } from '../lib/editor/connection-form';
import { createPick, markPick } from '../lib/editor/form-parts';
import { textFrom } from '../lib/editor/open-form';
import { describeMeter, followMeters } from '../lib/editor/pick-lists';
import { batteryName, hasPulses } from '../../src/model/meter-names';
import { splitMeterList } from './config';

const meterFields = ['grid', 'production', 'battery', 'gas', 'water'] as const;
type MeterField = (typeof meterFields)[number];

/** A meter of unknown role is offered for every role. A battery may be listed as another electric device. */
function isOffered(role: MeterField, { alias, role: own }: MeterEntry): boolean {
  if (role !== 'battery') return own === role || own === null;
  return !hasPulses(alias) && (own === null || own === 'production' || own === 'consumption');
}

/** True if the connection describes the meters of the house. */
function isDescribed(connection: string): boolean {
  const rows = RED.nodes.node(connection)?.['meters'];
  return Array.isArray(rows) && rows.length > 0;
}

/** Call from `oneditprepare`, after the typed input of the monitor is created. */
export function prepareMeters(text: CatalogueText): void {
  const connection = $('#node-input-connection');
  const field = (role: MeterField): JQuery => $(`#node-input-${role}`);
  const chosen = (role: MeterField): string[] => splitMeterList(textFrom(field(role).val()));
  const isOf = (name: string, { alias }: MeterEntry): boolean => name === alias || batteryName(name) === alias;
  let meters: readonly MeterEntry[] = [];
  let problem = '';

  const summarize = (): void => {
    const named = new Set(meterFields.flatMap(chosen).map(batteryName));
    const counted = meterFields.flatMap((role) => {
      const names = chosen(role);
      if (names.length > 0) return names;
      return meters
        .filter((meter) => meter.role === role && !named.has(meter.alias))
        .map(({ alias, label }) => label ?? alias);
    });
    const list = counted.join(' · ');
    const isAutomatic = named.size === 0;
    const [alone, withList] = isDescribed(textFrom(connection.val()))
      ? ['meters.connection', 'meters.connectionList']
      : ['meters.automatic', 'meters.automaticList'];
    const words = isAutomatic ? text(list === '' ? alone : withList, { list }) : list;
    $('#cemm-balance-automatic').text(`(${words})`);
  };
  const show = (): void => {
    summarize();
    for (const role of meterFields) {
      const box = $(`#cemm-picks-${role}`).empty();
      const offered = meters.filter((meter) => isOffered(role, meter));
      for (const meter of offered) box.append(chipOf(role, meter));
      if (problem !== '' && role === 'grid') box.append($('<div>').attr('role', 'status').text(problem));
    }
  };
  const chipOf = (role: MeterField, meter: MeterEntry): JQuery => {
    const isChosen = chosen(role).some((name) => isOf(name, meter));
    const button = createPick(meter.alias, $('<span>').text(describeMeter(meter, text))).on('click', () => {
      const names = chosen(role);
      const rest = names.filter((name) => !isOf(name, meter));
      field(role)
        .val((isChosen ? rest : [...names, meter.alias]).join(', '))
        .trigger('change');
    });
    return markPick(button, isChosen);
  };

  for (const role of meterFields) field(role).on('change', show);
  if (meterFields.some((role) => chosen(role).length > 0)) $('#cemm-balance-meters').attr('open', 'open');
  followMeters(
    text,
    (id) => !isPublic(id),
    (listed, sentence) => {
      [meters, problem] = [listed, sentence];
      show();
    },
  );
}
