/** The dialog of the balance node. Settings that rarely change are in collapsed sections. */
import { createCatalogueText } from '../lib/editor/catalogue';
import { date, end, mac } from '../lib/editor/checks';
import { isPublic } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { typedField } from '../lib/editor/fields';
import { pricesCheck } from '../lib/editor/prices/checks';
import { preparePrices } from '../lib/editor/prices/section';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { isSetByAdministrator } from '../lib/editor/node-defaults';
import { openForm, textFrom } from '../lib/editor/open-form';
import { preparePickLists } from '../lib/editor/pick-lists';
import type { EditorNode } from '../lib/editor/red';
import { migrated } from '../lib/stored/migrate';
import { own } from '../lib/stored/field-rules';
import { dialogOf } from '../lib/editor/dialog';
import { periodChoices, prepareSpan } from '../lib/editor/span-section';
import {
  balanceDefaults,
  balanceFields,
  balancePeriods,
  pricesTypes,
  proposedIntervals,
  type BalanceConfig,
  type BalancePeriod,
} from './config';
import { prepareMeters } from './editor-meters';
import { battery, meters } from './field-checks';

const type = 'cemm-balance';
const text = createCatalogueText(type);
const form = openForm('node-input', balanceDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: balanceDefaults,
  rules: balanceFields,
  outputs: ['port.balance'],
  checks: { mac, date, end, meters, battery, prices: pricesCheck(text) },
});

/** Null if the period is known only when a message arrives. */
function periodIn(node: EditorNode<BalanceConfig>): BalancePeriod | null {
  if (form.textOf(node, 'periodType') !== 'str') return null;
  return balancePeriods.find((known) => known === form.textOf(node, 'period')) ?? null;
}

/** The interval follows connection and period until a user enters another one. Opening the dialog changes nothing. */
function proposeInterval(isNow: () => boolean): void {
  if (isSetByAdministrator(type, 'interval')) return;
  const field = $('#node-input-interval');
  const proposal = (): number => {
    const mode = textFrom(RED.nodes.node(textFrom($('#node-input-connection').val()))?.['mode']);
    const usual = proposedIntervals[isNow() ? 'now' : 'period'];
    return own<number>(usual, mode) ?? usual.local;
  };
  let proposed = proposal();
  $('#node-input-connection, #node-input-period').on('change', () => {
    const before = proposed;
    proposed = proposal();
    if (proposed !== before && Number(field.val()) === before) field.val(proposed).trigger('change');
  });
}

function showPeriod(): void {
  const isMessages = textFrom($('#node-input-source').val()) === 'messages';
  const chosen = textFrom($('#node-input-period').val());
  const isTyped = textFrom($('#node-input-periodType').val()) !== 'str';
  $('.cemm-balance-period').toggle(isTyped || chosen !== 'now');
  $('.cemm-balance-step').toggle(isTyped || chosen === 'day');
  $('.cemm-balance-progress').toggle(!isMessages && (isTyped || !['now', 'day'].includes(chosen)));
  $('.cemm-balance-peak').toggle(!isMessages && (isTyped || chosen === 'month'));
}

function showSource(): void {
  const isMessages = textFrom($('#node-input-source').val()) === 'messages';
  $('.cemm-balance-messages').toggle(isMessages);
  // A connection has its own.
  const hasConnection = !['', '_ADD_'].includes(textFrom($('#node-input-connection').val()));
  $('.cemm-balance-keep').toggle(isMessages && !hasConnection);
  const isDays = !isMessages && isPublic(textFrom($('#node-input-connection').val()));
  $('.cemm-balance-days').toggle(isDays);
  // A CEMM 3.0 has neither quarters of an hour nor hours.
  if (isDays) $('.cemm-balance-peak, .cemm-balance-step').hide();
}

RED.nodes.registerType<BalanceConfig>('cemm-balance', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-balance.svg',
  inputs: 1,
  outputs: 1,
  ...dialog,
  label() {
    const { name, period, periodType } = migrated(balanceDefaults, this);
    if (name !== '') return name;
    const unit = periodType === 'str' ? balancePeriods.find((known) => known === period) : undefined;
    return this._(`label.${unit ?? 'any'}`);
  },
  oneditprepare() {
    form.open(this);
    typedField('monitor');
    preparePickLists(type, ['monitor']);
    const [now, day, week] = [this._('period.now'), this._('period.day'), this._('period.week')];
    typedField('period', periodChoices(this, { now, day, week }));
    prepareSpan(this);
    preparePrices(form, { types: pricesTypes, text });
    prepareMeters(text);
    prepareIntervalField(type);
    showPeriod();
    proposeInterval(() => periodIn(this) === 'now');
    showSource();
    $('#node-input-source, #node-input-connection, #node-input-period').on('change', () => {
      showPeriod();
      showSource();
    });
    // The connection is checked by the period: a CEMM 3.0 knows no moment.
    $('#node-input-period').on('change', () => $('#node-input-connection').trigger('change'));
    // The source decides whether a connection is required.
    $('#node-input-source').on('change', () => $('#node-input-connection').trigger('change'));
    // The checks of these fields depend on the period and on the type of prices.
    $('#node-input-period, #node-input-pricesType').on('change', () => {
      for (const field of ['interval', 'date', 'from', 'to']) $(`#node-input-${field}`).trigger('change');
    });
    prepareDashboardButtons(this);
  },
});
