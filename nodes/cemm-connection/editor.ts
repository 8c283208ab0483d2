/** The dialog of a connection: one of three ways to a monitor, and only the fields of that way. */
import * as addresses from '../shared/editor/address-checks';
import { prepareCheckPanel } from '../shared/editor/check-panel';
import * as checks from '../shared/editor/checks';
import { prepareFindPanel } from '../shared/editor/find-panel';
import { saveNumber } from '../shared/editor/number-field';
import { openForm, textFrom } from '../shared/editor/open-form';
import { catalogueOf } from '../shared/editor/text';
import { suggestTimezones } from '../shared/editor/timezone-field';
import { textValidator } from '../shared/editor/validators';
import { connectionDefaults, deadlineRange, type ConnectionConfig, type ConnectionMode } from './config';

const type = 'cemm-connection';
const form = openForm('node-config-input');

/** A field of another mode is out of sight and out of use: whatever stands there is no mistake. */
function onlyIn(mode: ConnectionMode, check: checks.Check) {
  return textValidator<ConnectionConfig>(type, (text, node) =>
    form.textOf(node, 'mode') === mode ? check(text) : true,
  );
}

RED.nodes.registerType<ConnectionConfig>('cemm-connection', {
  category: 'config',
  color: '#3F9C86',
  icon: 'cemm-connection.svg',
  defaults: {
    name: { value: connectionDefaults.name },
    mode: { value: connectionDefaults.mode, required: true },
    baseUrl: { value: connectionDefaults.baseUrl, validate: onlyIn('remote', addresses.baseUrl) },
    host: { value: connectionDefaults.host, validate: onlyIn('local', addresses.host) },
    mac: { value: connectionDefaults.mac, validate: onlyIn('local', checks.optional(checks.mac)) },
    timezone: { value: connectionDefaults.timezone, validate: textValidator(type, checks.timezone) },
    deadline: {
      value: connectionDefaults.deadline,
      validate: textValidator(type, checks.numberBetween(deadlineRange.min, deadlineRange.max)),
    },
  },
  credentials: {
    apiKey: { type: 'password' },
  },
  label() {
    if (this.name !== '') return this.name;
    if (this.mode === 'local') return this.host === '' ? this._('label.local') : this.host;
    return this.mode === 'remote' ? this._('label.remote') : this._('label.demo');
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  oneditprepare() {
    form.open(this);
    const mode = $('#node-config-input-mode');
    mode.on('change', () => {
      $('.cemm-mode').hide();
      $(`.cemm-mode-${textFrom(mode.val())}`).show();
    });
    suggestTimezones($('#node-config-input-timezone'));
    const text = catalogueOf(type);
    prepareFindPanel(text, prepareCheckPanel(this.id, text));
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'deadline', '#node-config-input-deadline');
  },
  oneditcancel() {
    form.close();
  },
  oneditdelete() {
    form.close();
  },
});
