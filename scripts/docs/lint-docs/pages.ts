// The README and every page of docs/: completeness, and agreement with the package.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { errorCodes } from '../../../src/errors';
import { errorResponse, type WebhookErrorWord } from '../../../src/webhook/http-exchange';
import { assistantsFile, assistantsPage } from '../build-assistants';
import { makeDocs } from '../build-docs';
import { documentedTypes } from '../build-docs-nodes';
import { fileAddresses, repositoryAddress } from '../repository-address';
import { faultsFile, siteAddress } from '../site';
import { differencesOf, translations, twinOf } from '../twins';
import { nameInCode, pageFaults, readPage, readTableRows } from './page';
import { differences, faultAt, filesIn, generatedFaults, readText, root, unless } from './text';

export const pages = [
  ...['README.md', 'README-nl.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...filesIn('docs', '.md').filter((file) => file !== faultsFile),
];

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly 'node-red': { readonly version: string; readonly nodes: Readonly<Record<string, string>> };
}

function manifest(): Manifest {
  return JSON.parse(readText('package.json')) as Manifest;
}

/** Links and pictures lead somewhere, named files exist, and samples can be read. */
export function pagesHold(): string[] {
  const foreign = /\b(?:spec|peers|contract|platform|vendor-facts)\.md\b|\breliability \d/g;
  const file = /`((?:src|nodes|scripts|test|bench)\/[a-z\d./-]+\.ts)`/g;
  return pages.flatMap((page) => {
    const { prose } = readPage(page);
    const named = [...prose.matchAll(file)].flatMap(([, name = '']) => (existsSync(path.join(root, name)) ? [] : name));
    return [
      ...pageFaults(page),
      ...[...(prose.match(foreign) ?? []), ...named].map((name) =>
        faultAt(page, name, `${name} is not in the repository`),
      ),
    ];
  });
}

/** Every page is reached from the README, and every picture is shown. */
export function nothingIsLost(): string[] {
  const targetsIn = (page: string, link: RegExp): string[] =>
    [...readPage(page).prose.matchAll(link)].map(([, target = '']) =>
      path.posix.join(path.posix.dirname(page), target),
    );
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    targetsIn(page, /\]\(([^)#\s:]+\.md)/g).forEach(visit);
  };
  visit('README.md');
  const shown = pages.flatMap((page) => targetsIn(page, /!\[[^\]]*\]\(([^)]+)\)/g));
  const pictures = readdirSync(path.join(root, 'docs/images')).map((name) => `docs/images/${name}`);
  return [
    ...pages.filter((page) => !reached.has(page)).map((page) => `${page}:1: cannot be reached from the README`),
    ...pictures.filter((picture) => !shown.includes(picture)).map((picture) => `${picture}:1: is on no page`),
  ];
}

/** Pages that are made from the nodes are as these are. */
export function generatedPagesAgree(): string[] {
  const made = makeDocs();
  const assistants = path.relative(root, assistantsFile);
  return [
    ...unless(
      made.size === 2 * documentedTypes.length + 2,
      'scripts/docs/build-docs.ts',
      '',
      `makes ${made.size} pages`,
    ),
    ...[...made].flatMap(([file, content]) => generatedFaults(file, content, 'build-docs.ts')),
    ...generatedFaults(assistants, assistantsPage(), 'build-assistants.ts'),
    ...unless(assistantsPage().length < 28_000, assistants, '', 'is too long to be read in one piece'),
  ];
}

/** The README has every node type and example, and what package.json says. */
export function readmeIsComplete(): string[] {
  const { prose, samples } = readPage('README.md');
  const { license, engines, 'node-red': nodeRed } = manifest();
  const named = readTableRows('README.md').map(([first]) => nameInCode(first));
  const examples = filesIn('examples', '.json').map((file) => path.basename(file, '.json'));
  const badges = [...prose.matchAll(/img\.shields\.io\/badge\/([^)\s]+)-\w+\)/g)].map(([, badge = '']) =>
    decodeURIComponent(badge).replaceAll('--', '-').replace('≥ ', '>='),
  );
  const versions = [
    ...[`Node.js-${engines.node}`, `Node-RED-${nodeRed.version.replace(/\.0$/, '')}`],
    `license-${license}`,
  ];
  const message: unknown = JSON.parse(samples.find(({ language }) => language === 'json')?.code ?? '{}');
  return [
    ...differences([...documentedTypes], Object.keys(nodeRed.nodes), 'node type'),
    ...documentedTypes.filter((type) => !prose.includes(`(docs/nodes/${type}.md)`)).map((type) => `no link to ${type}`),
    ...examples.filter((name) => !named.includes(name)).map((name) => `the example ${name} is missing`),
    ...differences(badges, versions, 'badge'),
    ...(Reflect.get(Object(message) as object, 'kind') === 'realtime' ? [] : ['the first message is no reading']),
  ].map((fault) => faultAt('README.md', /\S+$/.exec(fault)?.[0] ?? '', fault));
}

/** The README begins with what the package is and how it is installed, and has the commands of a copy behind the picture. */
export function readmeHasItsOrder(): string[] {
  const text = readText('README.md');
  const [what, palette, picture, copy] = [
    ...(['energy monitor', '*Manage palette*', 'first-chart.webp)\n\n', '## From a copy'] as const),
  ];
  const places = [what, palette, picture, copy].map((words) => text.indexOf(words));
  const isInOrder = places.every((place, at) => place >= 0 && place >= (places[at - 1] ?? 0));
  const [first] = readPage('README.md').samples;
  const commands = /^npm ci && npm start .*\nnpm ci && npm test .*\n$/;
  return [
    ...unless(
      isInOrder && text.indexOf(copy) === text.indexOf(picture) + picture.length,
      'README.md',
      copy,
      'its order',
    ),
    ...unless(commands.test(first?.code ?? ''), 'README.md', copy, 'the commands of a copy are not the first sample'),
  ];
}

/** Links and pictures that the flow library shows: it makes relative ones lead to another branch. */
export function readmeLinksAreAbsolute(): string[] {
  const { pages: files, pictures } = fileAddresses();
  return ['README.md', 'README-nl.md'].flatMap((page) => {
    const links = [...readText(page).matchAll(/(!?)\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)/g)];
    const wrong = links.filter(([, mark, target = '']) => {
      const own = [files, pictures].find((address) => target.startsWith(address));
      const isRight =
        own === undefined ? !target.includes(repositoryAddress()) : own === (mark === '!' ? pictures : files);
      return !/^(?:https?:|#)/.test(target) || !isRight;
    });
    return [
      ...unless(links.length > 50, page, '', 'has few links'),
      ...wrong.map(([, , target = '']) => faultAt(page, `](${target})`, `${target} leads to another branch`)),
    ];
  });
}

/** The changelog writes the section of this version, and the homepage of the package is the site. */
export function manifestAgrees(): string[] {
  const { version, homepage } = manifest();
  const [, first = ''] = /^## (\S+)/m.exec(readText('CHANGELOG.md')) ?? [];
  return [
    ...unless(first === version, 'CHANGELOG.md', `## ${first}`, `the package has the version ${version}`),
    ...unless(homepage === siteAddress(), 'package.json', '"homepage"', `the site is ${siteAddress()}`),
  ];
}

/** One row for each error code, and the answers that the webhook gives. */
export function errorsAreListed(): string[] {
  const [codesPage, answersPage] = ['docs/troubleshooting.md', 'docs/webhooks.md'];
  const codes = readTableRows(codesPage)
    .map(([first]) => nameInCode(first))
    .filter((word) => /^[A-Z_]+$/.test(word));
  const answers = [...readPage(answersPage).prose.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)];
  return [
    ...unless(
      codes.join() === errorCodes.join(),
      codesPage,
      `\`${codes[0] ?? ''}\``,
      `the codes are ${errorCodes.join()}`,
    ),
    ...unless(answers.length >= 7, answersPage, '', 'has few answers'),
    ...answers
      .filter(([, status, word = '']) => errorResponse(word as WebhookErrorWord).status !== Number(status))
      .map(([answer]) => faultAt(answersPage, answer, `the webhook does not answer ${answer}`)),
  ];
}

/** A translation has the parts of its English page, and was compared after the last change; owners of houses have one. */
export function translationsAgree(): string[] {
  const owners = ['balance', 'connections', 'dashboards', 'databases', 'home-assistant', 'home-assistant-app'];
  const wanted = [
    'README.md',
    ...[...owners, 'troubleshooting', 'webhooks'].map((name) => `docs/${name}.md`),
    ...documentedTypes.map((type) => `docs/nodes/${type}.md`),
  ];
  const twins = translations().map((page) => twinOf(page).twin);
  return [
    ...translations().flatMap(differencesOf),
    ...wanted.filter((page) => !twins.includes(page)).map((page) => `${page}:1: has no translation`),
    ...unless(
      readPage('README.md').prose.includes('[Nederlands](README-nl.md)'),
      'README.md',
      '',
      'no link to the Dutch one',
    ),
    ...unless(
      readPage('README-nl.md').prose.includes('[English](README.md)'),
      'README-nl.md',
      '',
      'no link to the English one',
    ),
  ];
}
