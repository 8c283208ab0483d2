// One JSON Schema (draft-07) per kind of payload, out of src/model/payload.ts: the types are the contract, and this is
// what flows in other languages can hold a message against. Run by the build; by hand: tsx scripts/build-schemas.ts DIR
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGenerator, type Schema } from 'ts-json-schema-generator';
import type { PayloadKind } from '../src/model/payload';

const ROOT = path.resolve(__dirname, '..');

/** Kind → exported type. The compiler asks for a line here when a kind is added. */
const TYPES: Record<PayloadKind, string> = {
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

/** Schema per kind. Properties that the types do not name are refused, except where the field names are open. */
export function makeSchemas(): Map<PayloadKind, Schema> {
  const generator = createGenerator({
    path: path.join(ROOT, 'src/model/payload.ts'),
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    // The compiler has checked the project already, and reports its errors better.
    skipTypeCheck: true,
    topRef: false,
    expose: 'none',
    additionalProperties: false,
    sortProps: false,
  });
  const kinds = Object.keys(TYPES) as PayloadKind[];
  return new Map(
    kinds.map((kind) => [kind, { $id: `cemm/1/${kind}`, title: TYPES[kind], ...generator.createSchema(TYPES[kind]) }]),
  );
}

/** Writes `<kind>.json` for every kind into the folder and returns the paths. Throws where a type cannot be described. */
export function buildSchemas(outDir: string): string[] {
  mkdirSync(outDir, { recursive: true });
  return [...makeSchemas()].map(([kind, schema]) => {
    const file = path.join(outDir, `${kind}.json`);
    writeFileSync(file, `${JSON.stringify(schema)}\n`);
    return file;
  });
}

if (require.main === module) {
  for (const file of buildSchemas(path.resolve(process.argv[2] ?? path.join(ROOT, 'dist/schemas')))) console.log(file);
}
