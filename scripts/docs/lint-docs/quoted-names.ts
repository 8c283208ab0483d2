// Italic text on a page for owners of a house is text of a dialog, a status or an error, in the language of the page.
import path from 'node:path';
import { readTypeCatalogue, flatten, readCatalogue, type Language } from '../../build/catalogue';
import { documentedTypes } from '../build-docs-nodes';
import { translations } from '../twins';
import { readPage } from './page';
import { faultAt, filesIn, readText, root, unless } from './text';

/** The web page of a CEMM 3.0 is in Dutch: https://wiki.cemm.nl/tools/webhooks and https://wiki.cemm.nl/general/publicapi. */
const monitor =
  `Gereedschap, Instellingen, Webhooks, Webhook toevoegen, URL, HMAC sleutel, Interval, 1 minuut, 15 minuten, Kanalen,
  vermogen, energie, Onderwerpen, SSL verifiëren, Extra headers, Expression, Geen toegang`.split(/,\s+/);

/** Catalogues of other programs. Node-RED and Dashboard 2 have no Dutch one, so their names are English in every language. */
const foreign = [
  '@node-red/editor-client/locales/en-US/editor.json',
  '@node-red/nodes/locales/en-US/messages.json',
  ...['ui_chart', 'ui_gauge', 'ui_text'].map(
    (widget) => `@flowfuse/node-red-dashboard/nodes/widgets/locales/en-US/${widget}.json`,
  ),
  '@flowfuse/node-red-dashboard/nodes/config/locales/en-US/ui_base.json',
];

/** Texts of other programs without a catalogue here: Home Assistant, GitHub, widgets, and names of nodes. */
const others = `unavailable, niet beschikbaar, Required modules missing, Install all, Prepared Statement, CEMM,
  X:, Y:, I use the Home Assistant Add-on, catch, change, function, http in, http request, influx batch, postgresql, sqlite, tibber-query,
  ps-receive-price, action, results, Report a vulnerability`.split(/,\s+/);

/** Node names in the examples, and in the flows of pages. */
function namesInExamples(): string[] {
  const examples = filesIn('examples', '.json').map(readText);
  const onPages = readPage('docs/prices-by-the-hour.md').samples.filter(({ language }) => language === 'json');
  return [...examples, ...onPages.map(({ code }) => code)].flatMap((text) =>
    (JSON.parse(text) as { name?: string }[]).map(({ name = '' }) => name),
  );
}

/** A sentence as quoted on a page: dots stand for the variable parts. */
function quoted(sentence: string): string {
  return sentence.replace(/__\w+__/g, '…');
}

function sentencesIn(language: Language): Set<string> {
  const said = documentedTypes.flatMap((type) => [...flatten(readTypeCatalogue(root, type, language)).values()]);
  const theirs = foreign.flatMap((file) => [...flatten(readCatalogue(path.join(root, 'node_modules', file))).values()]);
  return new Set([...said.map(quoted), ...theirs, ...namesInExamples(), ...monitor, ...others]);
}

/** Text between single stars; two stars are emphasis. */
function findQuotedNames(page: string): string[] {
  const prose = readPage(page)
    .prose.replace(/`[^`\n]*`/g, '``')
    .replace(/\*\*/g, '\u0000');
  return [...prose.matchAll(/\*([^*\n]+)\*/g), ...prose.matchAll(/\b_([^_\n]+)_\b/g)].map(([, name = '']) => name);
}

const english = ['webhooks', 'troubleshooting', 'dashboards', 'databases'].map((name) => `docs/${name}.md`);
const pages = [
  ['SECURITY.md', 'en-US'] as const,
  ...english.map((page) => [page, 'en-US'] as const),
  ...translations().map((page) => [page, 'nl'] as const),
];

/** And the page of troubleshooting quotes every status of a connection. */
export function quotedNamesAreShown(): string[] {
  const known = { 'en-US': sentencesIn('en-US'), nl: sentencesIn('nl') };
  const { status = {} } = readCatalogue(path.join(root, 'nodes/lib/locales/en-US.json'));
  const statuses = [...flatten(typeof status === 'string' ? {} : status)].filter(([code]) => /^[A-Z]/.test(code));
  const rare = ['CONFIG_env_not_set', 'CONFIG_proxy', 'CONFIG_context_store'];
  const troubles = findQuotedNames('docs/troubleshooting.md');
  const unknown = pages.flatMap(([page, language]) => {
    const names = findQuotedNames(page);
    return [
      ...unless(names.length > 0 || page.startsWith('docs/nl/nodes/'), page, '', 'quotes nothing'),
      ...names.filter((name) => !known[language].has(name)).map((name) => faultAt(page, name, `nobody sees “${name}”`)),
    ];
  });
  return [
    ...unknown,
    ...statuses
      .filter(([code, text]) => !rare.includes(code) && !troubles.includes(quoted(text)))
      .map(([code]) => faultAt('docs/troubleshooting.md', '', `does not quote the status ${code}`)),
  ];
}
