/** The dialog of the node that tells what there is. */
import { catalogueOf } from '../lib/editor/catalogue';
import * as checks from '../lib/editor/checks';
import { saveNumber, typedField } from '../lib/editor/fields';
import { floorOf, intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { openForm, textFrom } from '../lib/editor/open-form';
import { preparePickLists } from '../lib/editor/pick-lists';
import { connectionValidator, textValidator, typedValidator } from '../lib/editor/validators';
import { searchIntervalFloor } from '../../src/limits';
import { type DiscoveryConfig, discoveryDefaults, type Scope, waitRange } from './config';

const type = 'cemm-discovery';
const text = catalogueOf(type);
const form = openForm('node-input');

/** A field of another scope is out of sight and out of use: whatever stands there is no mistake. */
function isIn(node: { readonly id: string }, ...scopes: Scope[]): boolean {
  return scopes.some((scope) => form.textOf(node, 'scope') === scope);
}

const connectionOf = connectionValidator<DiscoveryConfig>(type, true);
const monitorOf = typedValidator<DiscoveryConfig>(type, form, 'monitor', checks.optional(checks.mac));
const networkInterval = textValidator<DiscoveryConfig>(type, checks.interval(searchIntervalFloor));
const connectionInterval = intervalValidator<DiscoveryConfig>(type, form, (node) =>
  isIn(node, 'meters') ? ['monitor'] : [],
);

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
      validate(value, options) {
        return isIn(this, 'network') || connectionOf.call(this, value, options);
      },
    },
    monitor: {
      value: discoveryDefaults.monitor,
      validate(value, options) {
        return !isIn(this, 'meters') || monitorOf.call(this, value, options);
      },
    },
    monitorType: { value: discoveryDefaults.monitorType },
    interval: {
      value: discoveryDefaults.interval,
      validate(value, options) {
        return (isIn(this, 'network') ? networkInterval : connectionInterval).call(this, value, options);
      },
    },
    emit: { value: discoveryDefaults.emit },
    broadcast: {
      value: discoveryDefaults.broadcast,
      validate: textValidator(type, (text, node) =>
        isIn(node, 'network') ? checks.optional(checks.broadcast)(text) : true,
      ),
    },
    host: {
      value: discoveryDefaults.host,
      validate: textValidator(type, (text, node) =>
        isIn(node, 'network') ? checks.optional(checks.host)(text) : true,
      ),
    },
    wait: {
      value: discoveryDefaults.wait,
      validate: textValidator(type, (text, node) =>
        isIn(node, 'network') ? checks.numberBetween(waitRange.min, waitRange.max)(text) : true,
      ),
    },
    version: { value: discoveryDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    return this.name || this._(`label.${this.scope}`);
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
      // What is right in these fields depends on the scope.
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
    saveNumber(this, 'interval', '#node-input-interval');
    saveNumber(this, 'wait', '#node-input-wait');
  },
  oneditcancel() {
    form.close();
  },
});
