/** The dialog of a connection: one of four ways to a monitor, and only the fields of that way. */
import { openUsedParts, saveNumber, saveVersion } from '../lib/editor/fields';
import * as checks from '../lib/editor/checks';
import { prepareCheckPanel } from './editor-check';
import { prepareFindPanel } from './editor-find';
import { watchImports } from './editor-imports';
import { openForm, textFrom } from '../lib/editor/open-form';
import { catalogueOf } from '../lib/editor/catalogue';
import { mayHavePassword } from '../lib/editor/stored-passwords';
import { textValidator } from '../lib/editor/validators';
import { languageKey, proposedLanguage } from './languages';
import { matchingZones, zoneFor } from './timezones';
import {
  type ConnectionConfig,
  connectionDefaults,
  type ConnectionMode,
  connectionModes,
  deadlineRange,
} from './config';
import { migrations } from './migrations';

const type = 'cemm-connection';
const form = openForm('node-config-input');
const text = catalogueOf(type);

/** A field of another mode is out of sight and out of use: whatever stands there is no mistake. */
function onlyIn(modes: readonly ConnectionMode[], check: checks.FieldCheck) {
  return textValidator<ConnectionConfig>(type, (text, node) =>
    modes.some((mode) => form.textOf(node, 'mode') === mode) ? check(text) : true,
  );
}

/** Of a closed dialog: while it is open, the field itself is marked. */
const keyOfRemote = textValidator<ConnectionConfig>(type, (mode, node) =>
  mode !== 'remote' || form.isOpen(node) || mayHavePassword(node, 'apiKey') ? true : { key: 'check.apiKeyMissing' },
);

const withAddress: readonly ConnectionMode[] = ['local', 'public'];

/** Of a CEMM 3.0 the time zone may be left to the monitor. */
const timezone = textValidator<ConnectionConfig>(type, (text, node) =>
  (form.textOf(node, 'mode') === 'public' ? checks.optional(checks.timezone) : checks.timezone)(text),
);

watchImports(text);

RED.nodes.registerType<ConnectionConfig>('cemm-connection', {
  category: 'config',
  color: '#3F9C86',
  icon: 'cemm-connection.svg',
  defaults: {
    name: { value: connectionDefaults.name },
    mode: { value: connectionDefaults.mode, required: true, validate: keyOfRemote },
    baseUrl: { value: connectionDefaults.baseUrl, validate: onlyIn(['remote'], checks.baseUrl) },
    host: { value: connectionDefaults.host, validate: onlyIn(withAddress, checks.host) },
    mac: { value: connectionDefaults.mac, validate: onlyIn(withAddress, checks.optional(checks.mac)) },
    timezone: { value: connectionDefaults.timezone, validate: timezone },
    deadline: {
      value: connectionDefaults.deadline,
      validate: textValidator(type, checks.numberBetween(deadlineRange.min, deadlineRange.max)),
    },
    shard: { value: connectionDefaults.shard, validate: textValidator(type, checks.optional(checks.shard)) },
    allowLoopback: { value: connectionDefaults.allowLoopback },
    language: { value: proposedLanguage(text(languageKey), RED.settings.cemmConnectionLanguage) },
    version: { value: connectionDefaults.version },
  },
  credentials: {
    apiKey: { type: 'password', validate: onlyIn(['remote'], checks.required('check.apiKeyMissing')) },
  },
  label() {
    if (this.name !== '') return this.name;
    if (withAddress.includes(this.mode)) return this.host === '' ? this._('label.local') : this.host;
    return this.mode === 'remote' ? this._('label.remote') : this._('label.demo');
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  oneditprepare() {
    form.open(this);
    openUsedParts('node-config-input', this, connectionDefaults);
    const mode = $('#node-config-input-mode');
    const zone = $('#node-config-input-timezone');
    let chosen = this.mode;
    mode.on('change', () => {
      const now = connectionModes.find((known) => known === mode.val()) ?? chosen;
      $('.cemm-mode').hide();
      $(`.cemm-mode-${now}`).show();
      if (now !== chosen) zone.val(zoneFor(now, textFrom(zone.val())));
      chosen = now;
      zone.attr('placeholder', now === 'public' ? this._('placeholder.timezone') : '').trigger('change');
      $('#node-config-input-apiKey').trigger('change');
    });
    const zones = Intl.supportedValuesOf('timeZone');
    zone.autoComplete({ search: (typed) => matchingZones(zones, typed).map((name) => ({ value: name, label: name })) });
    prepareFindPanel(text, prepareCheckPanel(this.id, text));
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'deadline', '#node-config-input-deadline');
    saveVersion(this, 'node-config-input', connectionDefaults, migrations);
  },
  oneditcancel() {
    form.close();
  },
  oneditdelete() {
    form.close();
  },
});
