/** The tests that a source file declares, with their full names, read from the source without running it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A piece of a title: its text, or null where the test puts in something of its own (`${name}`). */
type Piece = string | null;

export interface DeclaredTest {
  /** Titles of the suites around it and its own, as mocha joins them. */
  readonly title: readonly Piece[];
  /** `it.skip` and the like, itself or around it. */
  readonly isSwitchedOff: boolean;
}

export interface TestFile {
  readonly tests: readonly DeclaredTest[];
  /** Of the file and of the modules beside it that it imports: where its tests' names can come from. */
  readonly source: string;
}

export function readTestFile(path: string): TestFile {
  const source = readFileSync(path, 'utf8');
  const tests: DeclaredTest[] = [];
  const visit = (node: ts.Node, outer: DeclaredTest): void => {
    const call = ts.isCallExpression(node) ? declaration(node) : null;
    if (call === null) {
      ts.forEachChild(node, (child) => {
        visit(child, outer);
      });
      return;
    }
    const blank = outer.title.length === 0 ? [] : [' '];
    const declared = {
      title: [...outer.title, ...blank, ...pieces(call.title)],
      isSwitchedOff: outer.isSwitchedOff || call.isSwitchedOff,
    };
    if (call.kind === 'it') tests.push(declared);
    else
      call.body.forEach((child) => {
        visit(child, declared);
      });
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true), { title: [], isSwitchedOff: false });
  return { tests, source: [source, ...neighbours(path, source)].join('\n') };
}

/**
 * True where a test of the file can have this full name. What stands in for `${name}` must be in its source word by word, so
 * that a generated name cannot be any text.
 */
export function declares({ tests, source }: TestFile, fullName: string): boolean {
  return tests.some(({ title, isSwitchedOff }) => {
    const pattern = title.map((piece) => (piece === null ? '(.+?)' : piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')));
    const match = new RegExp(`^${pattern.join('')}$`, 's').exec(fullName);
    return !isSwitchedOff && match !== null && match.slice(1).every((word) => source.includes(word));
  });
}

function neighbours(path: string, source: string): string[] {
  return [...source.matchAll(/ from '\.\/(?<name>[\w-]+)'/g)].map(({ groups }) =>
    readFileSync(join(dirname(path), `${groups?.['name'] ?? ''}.ts`), 'utf8'),
  );
}

interface Declaration {
  readonly kind: 'describe' | 'it';
  readonly title: ts.Expression;
  readonly body: readonly ts.Node[];
  readonly isSwitchedOff: boolean;
}

function declaration(call: ts.CallExpression): Declaration | null {
  const name = call.expression.getText();
  const kind = /^(describe|context)\b/.test(name) ? 'describe' : /^it\b/.test(name) ? 'it' : null;
  const [title, ...body] = call.arguments;
  if (kind === null || title === undefined || body.length === 0) return null;
  return { kind, title, body, isSwitchedOff: /\.skip\b/.test(name) };
}

function pieces(title: ts.Expression): Piece[] {
  if (ts.isStringLiteralLike(title)) return [title.text];
  if (ts.isBinaryExpression(title)) return [...pieces(title.left), ...pieces(title.right)];
  if (!ts.isTemplateExpression(title)) return [null];
  return [title.head.text, ...title.templateSpans.flatMap(({ literal }) => [null, literal.text])];
}
