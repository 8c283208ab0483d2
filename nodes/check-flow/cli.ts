#!/usr/bin/env node
/** The command `cemm-check-flow`: checks flow files, and exits with status 1 if there are findings that are errors. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PayloadKind } from '../../src/model/payload';
import { isRecord } from '../../src/record';
import { checkFlow, type Sources } from './check-flow';
import { isWarning, lineOf, printable, printableJson } from './finding';
import { FlowFileError, mostBytes, readFlowFile } from './flow-file';

const help = `cemm-check-flow: checks the CEMM nodes of exported flows.

  cemm-check-flow [--json] FILE...     - reads standard input

Tells of properties that a node does not have or lacks, of values that it cannot use, of wires and paths that cannot
work, and of parts of msg.payload that are never sent. Ends with 0 without findings, 1 with findings, 2 if a file cannot
be read. A price above 2 EUR per kWh may be in cents: it is told, and alone ends with 0. --json prints a list of { problem, file, flow, id, type, name, field, message, instead }.
`;

const kinds: readonly PayloadKind[] = [
  ...(['realtime', 'series', 'totals', 'webhook', 'monitor', 'meter', 'availability', 'problem', 'balance'] as const),
];

/** Reads the files that the build puts beside this one: the sentences of the dialogs, and the JSON Schemas of the payloads. */
function shipped(): Sources {
  const read = (...parts: string[]): unknown => JSON.parse(readFileSync(path.join(__dirname, '..', ...parts), 'utf8'));
  const catalogues = new Map<string, unknown>();
  const catalogueOf = (type: string): unknown => {
    const known = catalogues.get(type) ?? read(type, 'locales', 'en-US', 'runtime.json');
    catalogues.set(type, known);
    return known;
  };
  return {
    // Sentences of several dialogs are shipped once, with the connection.
    sentence: (type, key, values) =>
      sentenceIn(catalogueOf(type), key, values) ?? sentenceIn(catalogueOf('cemm-connection'), key, values) ?? key,
    schemas: Object.fromEntries(kinds.map((kind) => [kind, read('..', 'schemas', `${kind}.json`)])) as Record<
      PayloadKind,
      unknown
    >,
  };
}

function sentenceIn(
  catalogue: unknown,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string | null {
  const found = key.split('.').reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), catalogue);
  if (typeof found !== 'string') return null;
  return found.replace(/__(\w+?)__/g, (whole, name: string) => String(values[name] ?? whole));
}

function readInput(file: string): Uint8Array {
  if (file === '-') return readFileSync(0);
  if (statSync(file).size > mostBytes) throw new FlowFileError(`The file is larger than ${mostBytes / 1e6} MB.`);
  return readFileSync(file);
}

function main(): number {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help === true || positionals.length === 0) {
    process.stdout.write(help);
    return values.help === true ? 0 : 2;
  }
  const sources = shipped();
  const findings = positionals.flatMap((file) =>
    checkFlow(readFlowFile(readInput(file)), sources).map((finding) => ({ file, ...finding })),
  );
  if (values.json === true) process.stdout.write(`${printableJson(findings)}\n`);
  else
    for (const finding of findings)
      process.stdout.write(`${printable(`${positionals.length > 1 ? `${finding.file}: ` : ''}${lineOf(finding)}`)}\n`);
  return findings.every(isWarning) ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (thrown) {
  process.stderr.write(`${printable(thrown instanceof Error ? thrown.message : String(thrown))}\n`);
  process.exitCode = 2;
}
