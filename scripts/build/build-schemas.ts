// Generates one JSON Schema (draft-07) per kind of payload from src/model/payload.ts, for checks in other languages. Run by the
// build; by hand: tsx scripts/build/build-schemas.ts DIR
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
 * Writes `<kind>.json` for every kind into the folder and returns the paths.
 * @throws {Error} if a type cannot be described
 */
export function buildSchemas(outDir: string): string[] {
  mkdirSync(outDir, { recursive: true });
  return [...makeSchemas()].map(([kind, schema]) => {
    const file = path.join(outDir, `${kind}.json`);
    writeFileSync(file, `${JSON.stringify(schema)}\n`);
    return file;
  });
}

if (require.main === module) {
  for (const file of buildSchemas(path.resolve(process.argv[2] ?? path.join(root, 'dist/schemas')))) console.log(file);
}
