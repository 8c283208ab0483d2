/** The dialog of the page node. */
import { watchAddedNodes } from '../lib/editor/added-nodes';
import { type CatalogueText, createCatalogueText } from '../lib/editor/catalogue';
import { dialogOf } from '../lib/editor/dialog';
import { prepareListPicks } from '../lib/editor/list-picks';
import { openForm } from '../lib/editor/open-form';
import { own } from '../lib/stored/field-rules';
import { type PageConfig, pageDefaults, pageFields } from './config';
import { views as known } from './page/messages';
import { views } from './views-check';

const type = 'cemm-page';
const form = openForm('node-input', pageDefaults);
const dialog = dialogOf(type, { form, defaults: pageDefaults, rules: pageFields, checks: { views } });

/** Id in the file of the example → key of the name. */
const exampleNames: Readonly<Record<string, string>> = {
  'cemm-page-page': 'form.dashboard.page',
  'cemm-page-group': 'form.dashboard.group',
  'cemm-page-now': 'example.now',
  'cemm-page-template': 'form.dashboard.template',
  'cemm-pushed-page': 'example.byWebhook',
  'cemm-pushed-group': 'example.byWebhook',
  'cemm-pushed-now': 'example.now',
  'cemm-pushed-template': 'form.dashboard.template',
  'cemm-pushed-problem': 'example.problems',
};

nameExamples(createCatalogueText(type));

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
  inputLabels() {
    return this._('port.input');
  },
  outputLabels(index) {
    return this._(index === 0 ? 'port.page' : 'port.questions');
  },
  oneditprepare() {
    form.open(this);
    prepareListPicks(
      'views',
      known.map((view) => ({ word: view, title: this._(`view.${view}`) })),
    );
  },
});

/** Names the nodes of the imported page examples in the language of the editor, as *Add the page* does. Call once. */
function nameExamples(text: CatalogueText): void {
  watchAddedNodes((node) => {
    const key = own(exampleNames, node.id);
    if (key !== undefined) Object.assign(node, { name: text(key) });
  });
}
