#!/usr/bin/env node
/** The command `cemm-check-flow`: checks flow files, and exits with status 1 if there are findings that are errors. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PayloadKind } from '../../src/model/payload';
import { readMember } from '../../src/checks/record';
import { checkFlow, type Sources } from './check-flow';
import { isWarning, lineOf, printable, printableJson } from './finding';
import { FlowFileError, type FlowNode, mostBytes, readFlowFile } from './flow-file';
import { nodeTypes } from './node-types';

const help = `cemm-check-flow: checks the CEMM nodes of exported flows.

  cemm-check-flow [--json] FILE...     - reads standard input

Tells of properties that a node does not have or lacks, of values that it cannot use, of wires and paths that cannot
work, of nodes that nothing starts, and of parts of msg.payload that are never sent. Ends with 0 without findings, 1 with
findings, 2 if a file cannot be read or is not a list of nodes. A price above 2 EUR per kWh may be in cents: it is reported, and
alone ends with 0. --json prints a list of { problem, file, flow, id, type, name, field, message, instead }.
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
  const found = key.split('.').reduce(readMember, catalogue);
  if (typeof found !== 'string') return null;
  return found.replace(/__(\w+?)__/g, (whole, name: string) => String(values[name] ?? whole));
}

function readInput(file: string): Uint8Array {
  if (file === '-') return readFileSync(0);
  if (statSync(file).size > mostBytes) throw new FlowFileError(`The file is larger than ${mostBytes / 1e6} MB.`);
  return readFileSync(file);
}

function successOf(nodes: readonly FlowNode[]): string {
  const count = nodes.filter(({ type }) => type in nodeTypes).length;
  const ours = count === 1 ? '1 node of CEMM' : `${count} nodes of CEMM`;
  return `No mistake found: ${ours} checked, and what follows them, in ${nodes.length} entries.\n`;
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
  const files = positionals.map((file) => ({ file, flow: readFlowFile(readInput(file)) }));
  const findings = files.flatMap(({ file, flow }) => checkFlow(flow, sources).map((finding) => ({ file, ...finding })));
  if (values.json === true) process.stdout.write(`${printableJson(findings)}\n`);
  else
    for (const finding of findings)
      process.stdout.write(`${printable(`${positionals.length > 1 ? `${finding.file}: ` : ''}${lineOf(finding)}`)}\n`);
  if (findings.length === 0 && values.json !== true)
    process.stdout.write(successOf(files.flatMap(({ flow }) => flow.nodes)));
  return findings.every(isWarning) ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (thrown) {
  process.stderr.write(`${printable(thrown instanceof Error ? thrown.message : String(thrown))}\n`);
  process.exitCode = 2;
}
