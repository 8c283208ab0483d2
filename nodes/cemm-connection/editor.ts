/** The dialog of a connection: four modes, each with its own fields. */
import { openUsedParts } from '../lib/editor/fields';
import { baseUrl, host, mac, shard, timezone } from '../lib/editor/checks';
import { migrated } from '../lib/stored/migrate';
import { prepareCheckPanel } from './editor-check';
import { prepareFindPanel } from './editor-find';
import { prepareKeptPanel } from './editor-kept';
import { prepareNewMonitor } from './editor-new-monitor';
import { readBackText } from './read-back-text';
import { prepareReportPanel } from './editor-report';
import { watchImports } from './editor-imports';
import { watchNewNodes } from './editor-new-nodes';
import { type MetersPanel, prepareMetersPanel } from './editor-meters';
import { openNamedConnection, takeMeterToShow } from './editor-named';
import { defaultIn } from '../lib/editor/node-defaults';
import { openForm, textFrom } from '../lib/editor/open-form';
import { post, textMember } from '../lib/editor/admin-calls';
import { createCatalogueText } from '../lib/editor/catalogue';
import { mayHavePassword } from '../lib/editor/stored-passwords';
import { dialogOf } from '../lib/editor/dialog';
import { pricesCheck } from '../lib/editor/prices/checks';
import { preparePrices } from '../lib/editor/prices/section';
import { textValidator } from '../lib/editor/validators';
import { languageKey, proposedLanguage } from './languages';
import { contracts } from './contracts-check';
import { type ContractsPanel, prepareContractsPanel } from './editor-contracts';
import { houseMeters } from './meters-check';
import { matchingZones, zoneFor } from './timezones';
import {
  type ConnectionConfig,
  connectionDefaults,
  connectionFields,
  type ConnectionMode,
  connectionModes,
  connectionRoutes,
  housePricesTypes,
} from './config';

const type = 'cemm-connection';
const form = openForm('node-config-input', connectionDefaults);
const text = createCatalogueText(type);

/** For a closed dialog: an open one marks the field itself. */
const keyOfRemote = textValidator<ConnectionConfig>(type, (mode, node) =>
  mode !== 'remote' || form.isOpen(node) || mayHavePassword(node, 'apiKey') ? true : { key: 'check.apiKeyMissing' },
);

/** The fields of other modes are hidden and unused. */
const keyInForm = textValidator<ConnectionConfig>(type, (key, node) =>
  form.textOf(node, 'mode') !== 'remote' || key.trim() !== '' ? true : { key: 'check.apiKeyMissing' },
);

/** The tables of the open dialog. */
let metersPanel: MetersPanel | null = null;
let contractsPanel: ContractsPanel | null = null;

const withAddress: readonly ConnectionMode[] = ['local', 'public'];

watchImports(text);
watchNewNodes();
openNamedConnection();

const dialog = dialogOf(type, {
  form,
  defaults: connectionDefaults,
  rules: connectionFields,
  checks: { baseUrl, contracts, host, houseMeters, mac, shard, timezone, prices: pricesCheck(text) },
  special: {
    mode: { required: true, validate: keyOfRemote },
    language: { value: proposedLanguage(text(languageKey), RED.settings.cemmConnectionLanguage) },
  },
});

RED.nodes.registerType<ConnectionConfig>('cemm-connection', {
  category: 'config',
  color: '#3F9C86',
  icon: 'cemm-connection.svg',
  ...dialog,
  credentials: {
    apiKey: { type: 'password', validate: keyInForm },
  },
  label() {
    const { name, mode, host } = migrated(connectionDefaults, this);
    if (name !== '') return name;
    if (withAddress.includes(mode)) return host === '' ? this._('label.local') : host;
    return mode === 'remote' ? this._('label.remote') : this._('label.demo');
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
      if (now !== chosen) zone.val(zoneFor(now, textFrom(zone.val()), textFrom(defaultIn(type, 'timezone'))));
      chosen = now;
      zone.attr('placeholder', now === 'public' ? this._('placeholder.timezone') : '').trigger('change');
      $('#node-config-input-apiKey').trigger('change');
    });
    const zones = Intl.supportedValuesOf('timeZone');
    zone.autoComplete({ search: (typed) => matchingZones(zones, typed).map((name) => ({ value: name, label: name })) });
    metersPanel = prepareMetersPanel(this.id, this.meters, text);
    preparePrices(form, { types: housePricesTypes, text, connection: this.id });
    contractsPanel = prepareContractsPanel(this.id, this.contracts, text);
    prepareKeptPanel(text);
    prepareNewMonitor(this.id, text);
    void showReadBack(this.id);
    prepareReportPanel(this.id, text);
    prepareFindPanel(text, prepareCheckPanel(this.id, text));
    const meter = takeMeterToShow();
    // The tray is still sliding in, and the editor focuses its first field afterwards.
    if (meter !== null) setTimeout(() => metersPanel?.showRow(meter), 600);
  },
  oneditsave() {
    const rows = metersPanel?.read() ?? [];
    // A node that never had the property stays as it is.
    if (rows.length > 0 || Array.isArray(this.meters)) this.meters = rows;
    const contractRows = contractsPanel?.read() ?? [];
    if (contractRows.length > 0 || Array.isArray(this.contracts)) this.contracts = contractRows;
    dialog.oneditsave.call(this);
  },
});

/** "Read the past in the background": how far the deployed connection has read. */
async function showReadBack(id: string): Promise<void> {
  const reply = await post(connectionRoutes.readBack, { id });
  const line = $('#cemm-read-back');
  if (reply.ok) line.text(readBackText(textMember(reply.body, 'state'), textMember(reply.body, 'month'), text));
}
