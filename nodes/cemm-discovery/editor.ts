/** The dialog of the discovery node. */
import { catalogueOf } from '../lib/editor/catalogue';
import { broadcast, host, mac } from '../lib/editor/checks';
import { saveForm, typedField } from '../lib/editor/fields';
import { floorOf, prepareIntervalField } from '../lib/editor/interval-field';
import { openForm, textFrom } from '../lib/editor/open-form';
import { preparePickLists } from '../lib/editor/pick-lists';
import { ruleValidators } from '../lib/editor/rule-validators';
import { migrated } from '../lib/migrate';
import { searchIntervalFloor } from '../../src/limits';
import { type DiscoveryConfig, discoveryDefaults, discoveryFields } from './config';

const type = 'cemm-discovery';
const text = catalogueOf(type);
const form = openForm('node-input', discoveryDefaults);

const ruled = ruleValidators<DiscoveryConfig>(type, form, discoveryFields(), { broadcast, host, mac });

RED.nodes.registerType<DiscoveryConfig>('cemm-discovery', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-discovery.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: discoveryDefaults.name },
    scope: { value: discoveryDefaults.scope },
    connection: {
      value: discoveryDefaults.connection,
      type: 'cemm-connection',
      required: false,
      validate: ruled('connection'),
    },
    monitor: { value: discoveryDefaults.monitor, validate: ruled('monitor') },
    monitorType: { value: discoveryDefaults.monitorType },
    interval: { value: discoveryDefaults.interval, validate: ruled('interval') },
    emit: { value: discoveryDefaults.emit },
    broadcast: { value: discoveryDefaults.broadcast, validate: ruled('broadcast') },
    host: { value: discoveryDefaults.host, validate: ruled('host') },
    wait: { value: discoveryDefaults.wait, validate: ruled('wait') },
    version: { value: discoveryDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    const { name, scope } = migrated(discoveryDefaults, this);
    return name || this._(`label.${scope}`);
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  inputLabels() {
    return this._('port.input');
  },
  outputLabels() {
    return this._('port.found');
  },
  oneditprepare() {
    form.open(this);
    typedField('monitor');
    prepareIntervalField(type);
    preparePickLists(type, ['monitor']);
    const scope = $('#node-input-scope');
    const show = (): void => {
      const chosen = textFrom(scope.val());
      $('.cemm-scope').hide();
      $(`.cemm-scope-${chosen}`).show();
      // The checks of these fields depend on the scope.
      $('#node-input-interval, #node-input-connection').trigger('change');
      const connection = textFrom($('#node-input-connection').val());
      const floor = chosen === 'network' ? searchIntervalFloor : floorOf(connection);
      $('#cemm-interval-hint').text(text('form.intervalHint', { floor }));
    };
    scope.on('change', show);
    show();
  },
  oneditsave() {
    form.close();
    saveForm(this, 'node-input', discoveryDefaults);
  },
  oneditcancel() {
    form.close();
  },
});
