/** Checks flows with cemm-check-flow from the sources, and measures the share of found mistakes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkFlow, type Sources } from '../../../nodes/check-flow/check-flow';
import type { Finding } from '../../../nodes/check-flow/finding';
import { readFlowFile } from '../../../nodes/check-flow/flow-file';
import { assistantFlows } from '../../../scripts/docs/assistant-flows';
import { readTypeCatalogue, flatten } from '../../../scripts/build/catalogue';
import { makeSchemas } from '../../../scripts/build/build-schemas';
import type { PayloadKind } from '../../../src/model/payload';
import { mutatedFlows, mutations, type Mutation } from './flow-mutations';
import type { FlowNode } from '../node-red/node-red';
import { Random } from '../random';

const root = path.resolve(__dirname, '../../..');

let sources: Sources | null = null;

function sourcesOnce(): Sources {
  if (sources !== null) return sources;
  const catalogues = new Map<string, Map<string, string>>();
  sources = {
    schemas: Object.fromEntries(makeSchemas()) as Record<PayloadKind, unknown>,
    sentence: (type, key, values = {}) => {
      const catalogue = catalogues.get(type) ?? flatten(readTypeCatalogue(root, type, 'en-US'));
      catalogues.set(type, catalogue);
      return (catalogue.get(key) ?? key).replace(/__(\w+?)__/g, (whole, name: string) => String(values[name] ?? whole));
    },
  };
  return sources;
}

export function findingsIn(flow: unknown): Finding[] {
  return checkFlow(readFlowFile(Buffer.from(JSON.stringify(flow))), sourcesOnce());
}

/** File name → flow, for every example. */
export function exampleFlows(): Map<string, FlowNode[]> {
  const folder = path.join(root, 'examples');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return new Map(
    files.sort().map((file) => [file, JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FlowNode[]]),
  );
}

export interface Measured {
  readonly kind: string;
  readonly made: number;
  readonly found: number;
  /** Findings that propose exactly the original text. */
  readonly proposed: number | null;
}

/** Results for a thousand flows with one mistake each. */
export function measure(seed: number): { readonly rows: readonly Measured[]; readonly missed: readonly Mutation[] } {
  const random = new Random(seed);
  const all = mutatedFlows([...exampleFlows().values(), ...assistantFlows.map(({ nodes }) => nodes)], () =>
    random.next(),
  ).map((mutation) => {
    const { id, field } = mutation;
    return {
      mutation,
      named: findingsIn(mutation.flow).filter((finding) => finding.id === id && finding.field === field),
    };
  });
  const rows = Object.keys(mutations).map((kind): Measured => {
    const made = all.filter(({ mutation }) => mutation.kind === kind);
    const known = made.filter(({ mutation }) => mutation.before !== '');
    const right = known.filter(({ mutation, named }) => named.some(({ instead }) => instead === mutation.before));
    const found = made.filter(({ named }) => named.length > 0).length;
    return { kind, made: made.length, found, proposed: known.length === 0 ? null : right.length };
  });
  return { rows, missed: all.filter(({ named }) => named.length === 0).map(({ mutation }) => mutation) };
}
