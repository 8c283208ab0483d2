/** The dialog of the series node: the date fields follow the span. */
import { typedField } from '../lib/editor/fields';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { isPublic, showGeneration } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { openForm } from '../lib/editor/open-form';
import { periodChoices, prepareSpan } from '../lib/editor/span-section';
import { createCatalogueText } from '../lib/editor/catalogue';
import { dialogOf } from '../lib/editor/dialog';
import { alias, date, end, mac } from '../lib/editor/checks';
import { migrated } from '../lib/stored/migrate';
import { channelChecks } from './channel-checks';
import { prepareChannelPicks } from './editor-channels';
import {
  knownIncludes,
  knownResolutions,
  type SeriesConfig,
  seriesDefaults,
  seriesFields,
  seriesPeriods,
} from './config';

const type = 'cemm-series';
const text = createCatalogueText(type);
const form = openForm('node-input', seriesDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: seriesDefaults,
  rules: seriesFields,
  outputs: ['port.series'],
  checks: { mac, alias, date, end, ...channelChecks },
});

function suggest(selector: string, words: readonly string[]): void {
  $(selector).autoComplete({ search: () => words.map((word) => ({ value: word, label: word })) });
}

RED.nodes.registerType<SeriesConfig>('cemm-series', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-series.svg',
  inputs: 1,
  outputs: 1,
  ...dialog,
  label() {
    const { name, connection, period, periodType, channel, channelType } = migrated(seriesDefaults, this);
    if (name !== '') return name;
    if (!isPublic(connection)) {
      const unit = periodType === 'str' ? seriesPeriods.find((known) => known === period) : undefined;
      return this._(`label.${unit ?? 'any'}`, { meter: meterName(this) }).trim();
    }
    return this._('label.recent', { meter: channelType === 'str' ? channel : '' }).trim();
  },
  oneditprepare() {
    form.open(this);
    prepareMeterSection(type);
    typedField('period', periodChoices(this, { day: this._('period.day') }));
    prepareSpan(this);
    prepareIntervalField(type);
    typedField('meter');
    typedField('channel');
    suggest('#node-input-resolution', knownResolutions);
    suggest('#node-input-include', knownIncludes);
    showGeneration();
    prepareChannelPicks(text);
    prepareDashboardButtons(this);
  },
});
