/** The dialog of the discovery node. */
import { createCatalogueText } from '../lib/editor/catalogue';
import { broadcast, host, mac } from '../lib/editor/checks';
import { typedField } from '../lib/editor/fields';
import { floorOf, prepareIntervalField } from '../lib/editor/interval-field';
import { openForm, textFrom } from '../lib/editor/open-form';
import { preparePickLists } from '../lib/editor/pick-lists';
import { dialogOf } from '../lib/editor/dialog';
import { migrated } from '../lib/stored/migrate';
import { searchIntervalFloor } from '../../src/checks/limits';
import { type DiscoveryConfig, discoveryDefaults, discoveryFields, scopes } from './config';

const type = 'cemm-discovery';
const text = createCatalogueText(type);
const form = openForm('node-input', discoveryDefaults);

const dialog = dialogOf(type, {
  form,
  defaults: discoveryDefaults,
  rules: discoveryFields,
  input: 'port.input',
  outputs: ['port.found'],
  checks: { broadcast, host, mac },
});

RED.nodes.registerType<DiscoveryConfig>('cemm-discovery', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-discovery.svg',
  inputs: 1,
  outputs: 1,
  ...dialog,
  label() {
    const { name, scope } = migrated(discoveryDefaults, this);
    // A flow that was written by hand may name a scope that there is not.
    const known = scopes.find((one) => one === scope) ?? discoveryDefaults.scope;
    return name || this._(`label.${known}`);
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
});
