// Generates pages of docs/: the pages of nodes in English and Dutch, the payload reference from
// the JSON Schemas, and the table of channels in docs/fields.md from the rows of fields. Run it after changing one of these:
// npx tsx scripts/docs/build-docs.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodePages } from './build-docs-nodes';
import { payloadReference } from './build-docs-payload';
import { makeSchemas } from '../build/build-schemas';
import { channelRows } from '../../src/model/channel-fields';
import { unitOfField } from '../../src/model/fields';

const root = path.resolve(__dirname, '../..');

/** Path below the project → content, of every generated page. */
export function makeDocs(): Map<string, string> {
  return new Map([
    ...nodePages(),
    ['docs/payload.md', payloadReference(makeSchemas())],
    ['docs/fields.md', fieldsPage(readFileSync(path.join(root, 'docs/fields.md'), 'utf8'))],
  ]);
}

/** The page with its table of channels made anew from the rows of src/model/fields.ts. */
function fieldsPage(page: string): string {
  const all = channelRows();
  const lines = all.map(({ channel, role, field }) => {
    const isAlone = all.filter((other) => other.channel === channel).length === 1;
    const unit = unitOfField(field);
    return `| \`${channel}\` | ${role ?? (isAlone ? 'any' : 'any other')} | \`${field}\` |${unit === null ? '' : ` ${unit}`} |`;
  });
  const table = ['| Channel of the monitor | Measures | Field | Unit |', '|---|---|---|---|', ...lines, ''];
  return page.replace(/^\| Channel of the monitor \|.*\n(?:\|.*\n)+/m, table.join('\n'));
}

if (require.main === module) {
  for (const [file, content] of makeDocs()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
    console.log(file);
  }
}
