// Every payload that a page or a help text shows as an example is complete, or says that it is shortened.
import Ajv from 'ajv';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { languages } from '../../build/catalogue';
import { helpPage } from '../../build/include';
import { documentedTypes } from '../build-docs-nodes';
import { makeSchemas } from '../../build/build-schemas';
import { faultAt, filesIn, readText, root, unless } from './text';

const marks = /shortened|ingekort|gekürzt|abrégé/;

interface Example {
  readonly place: string;
  /** Text between the example and the one before. */
  readonly before: string;
  readonly payload: UnknownRecord;
}

/** Every example of a page; a code that only looks like one fails here. */
function examplesIn(place: string, text: string, code: RegExp): Example[] {
  let end = 0;
  return [...text.matchAll(code)].flatMap((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    const [, snippet = ''] = match;
    if (!snippet.includes('"schema": "cemm/1"')) return [];
    const payload: unknown = JSON.parse(snippet);
    return isRecord(payload) ? [{ place, before: before.slice(-200), payload }] : [];
  });
}

function allExamples(): Example[] {
  const files = ['README.md', 'README-nl.md', ...filesIn('docs', '.md')];
  return [
    ...files.flatMap((file) => examplesIn(file, readText(file), /^```\w*\n([^]*?)^```/gm)),
    ...languages.flatMap((language) =>
      documentedTypes.flatMap((type) =>
        examplesIn(`nodes/${type}/help/${language}.html`, helpPage(root, type, language), /<pre>([^]*?)<\/pre>/g),
      ),
    ),
  ];
}

/** Points that the payload says that it has. */
function promisedPoints({ stats, period, points }: UnknownRecord): number {
  if (isRecord(stats)) return Number(stats['expected']);
  if (points === undefined || !isRecord(period)) return 0;
  return (Number(period['end']) - Number(period['start'])) / 3_600_000;
}

/** Every node that sends a payload has an example on its page, and the README has one. */
export function payloadsAreComplete(): string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validators = new Map<string, ReturnType<typeof ajv.compile>>(
    [...makeSchemas()].map(([kind, schema]) => [kind, ajv.compile(JSON.parse(JSON.stringify(schema)) as object)]),
  );
  const examples = allExamples();
  const places = new Set(examples.map(({ place }) => place));
  const wanted = ['discovery', 'realtime', 'series', 'totals', 'webhook-in', 'balance'].map(
    (type) => `docs/nodes/cemm-${type}.md`,
  );
  return [
    ...[...wanted, 'README.md'].flatMap((place) => unless(places.has(place), place, '', 'shows no payload')),
    ...unless(examples.length > 30, 'docs/payload.md', '', 'the pages show few payloads'),
    ...examples.flatMap(({ place, before, payload }) => {
      const validate = validators.get(String(payload['kind']));
      const shown = Array.isArray(payload['points']) ? payload['points'].length : 0;
      const isHonest = marks.test(before) === shown < promisedPoints(payload);
      const isValid = validate?.(payload) === true;
      return [
        ...(isValid ? [] : [ajv.errorsText(validate?.errors)]),
        ...(isHonest ? [] : ['says that points are left out where none are, or does not say it']),
      ].map((fault) => payloadFault(place, before, fault));
    }),
  ];
}

/** A help text has no line here: it is put together from several files. */
function payloadFault(place: string, before: string, fault: string): string {
  return place.endsWith('.md') ? faultAt(place, before, fault) : `${place}:1: ${fault}`;
}
