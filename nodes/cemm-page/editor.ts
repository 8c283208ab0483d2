/** The dialog of the page node. */
import { createCatalogueText } from '../lib/editor/catalogue';
import { dialogOf } from '../lib/editor/dialog';
import { prepareListPicks } from '../lib/editor/list-picks';
import { openForm } from '../lib/editor/open-form';
import { type PageConfig, pageDefaults, pageFields } from './config';
import { watchExamples } from './editor-examples';
import { views as known } from './page/views';
import { views } from './views-check';

const type = 'cemm-page';
const form = openForm('node-input', pageDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: pageDefaults,
  rules: pageFields,
  checks: { views },
  input: 'port.input',
  outputs: ['port.page', 'port.questions'],
});

watchExamples(createCatalogueText(type));

RED.nodes.registerType<PageConfig>('cemm-page', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-page.svg',
  inputs: 1,
  outputs: 2,
  ...dialog,
  label() {
    return this.name || this._('label');
  },
  oneditprepare() {
    form.open(this);
    prepareListPicks(
      'views',
      known.map((view) => ({ word: view, title: this._(`view.${view}`) })),
    );
  },
});
