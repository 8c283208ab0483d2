/** The dialog of the balance node: what is asked for comes first, and what can mostly stay as it is comes folded. */
import { isAlias, isKey } from '../../src/limits';
import { catalogueOf } from '../lib/editor/catalogue';
import { mac, optional } from '../lib/editor/checks';
import { isPublic } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { saveNumber, typedField } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { openForm, textFrom } from '../lib/editor/open-form';
import { preparePickLists } from '../lib/editor/pick-lists';
import type { EditorNode, Validator } from '../lib/editor/red';
import { datesInUse, periodChoices, prepareSpan, spanValidators } from '../lib/editor/span-section';
import { connectionValidator, sentenceOf, textValidator, typedValidator } from '../lib/editor/validators';
import { balanceDefaults, balancePeriods, proposedIntervals, type BalanceConfig, type BalancePeriod } from './config';
import { namesIn, prepareMeters } from './editor-meters';
import { preparePrices } from './editor-prices';
import { flawOf } from './price-table';

const type = 'cemm-balance';
const text = catalogueOf(type);
const form = openForm('node-input');
const dates = spanValidators<BalanceConfig>(type, form, (node) => periodIn(node) !== 'now');
const connection = {
  ask: connectionValidator<BalanceConfig>(type, true, 'check.public'),
  messages: connectionValidator<BalanceConfig>(type, false),
};

/** Null where it is known only when a message comes. */
function periodIn(node: EditorNode<BalanceConfig>): BalancePeriod | null {
  if (form.textOf(node, 'periodType') !== 'str') return null;
  return balancePeriods.find((known) => known === form.textOf(node, 'period')) ?? null;
}

/** What is out of sight is out of use. */
function ofPeriods(validator: Validator<BalanceConfig>): Validator<BalanceConfig> {
  return function (value, options) {
    return periodIn(this) === 'now' || validator.call(this, value, options);
  };
}

const meters = textValidator<BalanceConfig>(type, (list) => {
  const wrong = namesIn(list).find((name) => !isAlias(name) && !isKey(name));
  return wrong === undefined ? true : { key: 'check.meters', values: { meter: wrong } };
});

const prices = ofPeriods(function (value, options) {
  const given = form.textOf(this, 'pricesType');
  if (given === 'none' || given === '') return true;
  if (given !== 'json') return RED.utils.validateTypedProperty(value, given, options);
  const flaw = flawOf(textFrom(value));
  if (flaw === null) return true;
  if (flaw === 'json' || flaw === 'currency') return sentenceOf(type, { key: `check.prices.${flaw}` }, options.label);
  return sentenceOf(type, { key: 'check.prices.price', values: { price: text(`prices.${flaw}`) } }, options.label);
});

function typedInUse(node: EditorNode<BalanceConfig>): string[] {
  if (periodIn(node) === 'now') return ['monitor', 'period'];
  return ['monitor', 'period', 'prices', ...datesInUse(form, node)];
}

/** The interval follows connection and period until somebody types one of their own. */
function proposeInterval(isNow: () => boolean): void {
  const field = $('#node-input-interval');
  const usual = new Set(Object.values(proposedIntervals).flatMap((of) => Object.values<number>(of)));
  const propose = (): void => {
    const mode = textFrom(RED.nodes.node(textFrom($('#node-input-connection').val()))?.['mode']);
    const of: Readonly<Record<string, number>> = proposedIntervals[isNow() ? 'now' : 'period'];
    const proposed = of[mode] ?? of['local'];
    if (usual.has(Number(field.val())) && Number(field.val()) !== proposed) field.val(proposed ?? '').trigger('change');
  };
  $('#node-input-connection, #node-input-period').on('change', propose);
}

function showPeriod(): void {
  const isMessages = textFrom($('#node-input-source').val()) === 'messages';
  const chosen = textFrom($('#node-input-period').val());
  const isTyped = textFrom($('#node-input-periodType').val()) !== 'str';
  $('.cemm-balance-period').toggle(isTyped || chosen !== 'now');
  $('.cemm-balance-step').toggle(isTyped || chosen === 'day');
  $('.cemm-balance-peak').toggle(!isMessages && (isTyped || chosen === 'month'));
}

function showSource(): void {
  const isMessages = textFrom($('#node-input-source').val()) === 'messages';
  $('.cemm-balance-messages').toggle(isMessages);
  // A CEMM 3.0 has nothing to choose from: the connection says so.
  $('.cemm-balance-house').toggle(isMessages || !isPublic(textFrom($('#node-input-connection').val())));
}

RED.nodes.registerType<BalanceConfig>('cemm-balance', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-balance.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: balanceDefaults.name },
    connection: {
      value: balanceDefaults.connection,
      type: 'cemm-connection',
      required: false,
      validate(value, options) {
        const source = form.textOf(this, 'source') === 'messages' ? 'messages' : 'ask';
        return connection[source].call(this, value, options);
      },
    },
    monitor: {
      value: balanceDefaults.monitor,
      // Of messages it may be an installation as well.
      validate: typedValidator(type, form, 'monitor', (written, node) =>
        form.textOf(node, 'source') === 'messages' ? true : optional(mac)(written),
      ),
    },
    monitorType: { value: balanceDefaults.monitorType },
    source: { value: balanceDefaults.source },
    period: { value: balanceDefaults.period, validate: typedValidator(type, form, 'period', () => true) },
    periodType: { value: balanceDefaults.periodType },
    step: { value: balanceDefaults.step },
    span: { value: balanceDefaults.span },
    date: { value: balanceDefaults.date, validate: dates.date },
    dateType: { value: balanceDefaults.dateType },
    from: { value: balanceDefaults.from, validate: dates.from },
    fromType: { value: balanceDefaults.fromType },
    to: { value: balanceDefaults.to, validate: dates.to },
    toType: { value: balanceDefaults.toType },
    grid: { value: balanceDefaults.grid, validate: meters },
    production: { value: balanceDefaults.production, validate: meters },
    gas: { value: balanceDefaults.gas, validate: meters },
    water: { value: balanceDefaults.water, validate: meters },
    peak: { value: balanceDefaults.peak },
    prices: { value: balanceDefaults.prices, validate: prices },
    pricesType: { value: balanceDefaults.pricesType },
    interval: { value: balanceDefaults.interval, validate: intervalValidator(type, form, typedInUse) },
    version: { value: balanceDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    if (this.name !== '') return this.name;
    const unit = this.periodType === 'str' ? balancePeriods.find((known) => known === this.period) : undefined;
    return this._(`label.${unit ?? 'any'}`);
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  inputLabels() {
    return this._('port.input');
  },
  outputLabels() {
    return this._('port.balance');
  },
  oneditprepare() {
    form.open(this);
    typedField('monitor');
    preparePickLists(type, ['monitor']);
    typedField('period', periodChoices(this, { now: this._('period.now'), day: this._('period.day') }));
    prepareSpan(this);
    $('#node-input-period, #node-input-source').on('change', showPeriod);
    preparePrices(text);
    prepareMeters(text);
    prepareIntervalField(type);
    showPeriod();
    proposeInterval(() => periodIn(this) === 'now');
    showSource();
    $('#node-input-source, #node-input-connection').on('change', showSource);
    // Whether a connection is needed depends on the source.
    $('#node-input-source').on('change', () => $('#node-input-connection').trigger('change'));
    // What is right in these fields depends on the period and on the kind of prices.
    $('#node-input-period, #node-input-pricesType').on('change', () => {
      for (const field of ['interval', 'date', 'from', 'to']) $(`#node-input-${field}`).trigger('change');
    });
    prepareDashboardButtons(this);
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'interval', '#node-input-interval');
  },
  oneditcancel() {
    form.close();
  },
});
