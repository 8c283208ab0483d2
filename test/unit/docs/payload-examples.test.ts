/** Every payload that a page or a help text shows as an example is complete, or says that it is shortened. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import should from 'should';
import { languages } from '../../../scripts/build/catalogue';
import { helpPage } from '../../../scripts/build/include';
import { documentedTypes } from '../../../scripts/build-docs-nodes';
import { makeSchemas } from '../../../scripts/build-schemas';
import { isRecord, type UnknownRecord } from '../../../src/record';

const root = path.resolve(__dirname, '../../..');
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
  const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = [
    'README.md',
    'README-nl.md',
    ...pages.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
  ];
  return [
    ...files.flatMap((file) => examplesIn(file, readFileSync(path.join(root, file), 'utf8'), /^```\w*\n([^]*?)^```/gm)),
    ...languages.flatMap((language) =>
      documentedTypes.flatMap((type) =>
        examplesIn(`help of ${type} in ${language}`, helpPage(root, type, language), /<pre>([^]*?)<\/pre>/g),
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

describe('examples of payloads', () => {
  const examples = allExamples();

  it('are on the page of every node that sends one, and in the README', () => {
    const places = new Set(examples.map(({ place }) => place));
    for (const type of ['discovery', 'realtime', 'series', 'totals', 'webhook-in', 'balance']) {
      places.has(`docs/nodes/cemm-${type}.md`).should.be.true(type);
    }
    places.has('README.md').should.be.true();
    examples.length.should.be.above(30);
  });

  it('have every property that a payload of their kind always has, and no other', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const validators = new Map(
      [...makeSchemas()].map(([kind, schema]) => [
        kind as string,
        ajv.compile(JSON.parse(JSON.stringify(schema)) as object),
      ]),
    );
    for (const { place, payload } of examples) {
      const validate = validators.get(String(payload['kind']));
      should(validate?.(payload)).be.true(`${place}: ${ajv.errorsText(validate?.errors)}`);
    }
  });

  it('say that they are shortened where points are left out, and nowhere else', () => {
    for (const { place, before, payload } of examples) {
      const { points } = payload;
      const shown = Array.isArray(points) ? points.length : 0;
      should(marks.test(before)).equal(shown < promisedPoints(payload), place);
    }
  });
});
