// Generates one JSON Schema (draft-07) per kind of payload from src/model/payload.ts, for checks in other languages. Run by the
// build.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGenerator, type Schema } from 'ts-json-schema-generator';
import type { PayloadKind } from '../../src/model/payload';

const root = path.resolve(__dirname, '../..');

/** Kind → exported type. The compiler requires a line for each kind. */
const typeNames: Record<PayloadKind, string> = {
  realtime: 'RealtimePayload',
  series: 'SeriesPayload',
  totals: 'TotalsPayload',
  webhook: 'WebhookPayload',
  monitor: 'MonitorPayload',
  meter: 'MeterPayload',
  availability: 'AvailabilityPayload',
  problem: 'ProblemPayload',
  balance: 'BalancePayload',
};

let schemas: Map<PayloadKind, Schema> | null = null;

/** Schema per kind. Properties outside the types are refused, except where the field names are open. */
export function makeSchemas(): Map<PayloadKind, Schema> {
  // The compiler takes two seconds to read the types.
  schemas ??= generateSchemas();
  return schemas;
}

function generateSchemas(): Map<PayloadKind, Schema> {
  const generator = createGenerator({
    path: path.join(root, 'src/model/payload.ts'),
    tsconfig: path.join(root, 'tsconfig.json'),
    // The compiler has checked the project already, and reports its errors better.
    skipTypeCheck: true,
    topRef: false,
    expose: 'none',
    additionalProperties: false,
    sortProps: false,
  });
  const kinds = Object.keys(typeNames) as PayloadKind[];
  return new Map(
    kinds.map((kind) => [
      kind,
      { $id: `cemm/1/${kind}`, title: typeNames[kind], ...generator.createSchema(typeNames[kind]) },
    ]),
  );
}

/**
 * Writes `<kind>.json` for every kind into the folder.
 * @throws {Error} if a type cannot be described
 */
export function buildSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [kind, schema] of makeSchemas()) {
    writeFileSync(path.join(folder, `${kind}.json`), `${JSON.stringify(schema)}\n`);
  }
}
