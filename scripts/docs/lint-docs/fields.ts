// docs/fields.md: the names and units of the code.
import { fieldOf } from '../../../src/model/channel-fields';
import type { Role } from '../../../src/model/payload';
import { nameInCode, readTableRows } from './page';
import { differences, faultAt, unless } from './text';

const page = 'docs/fields.md';
const shared: Readonly<Record<string, readonly (Role | null)[]>> = {
  any: [null, 'grid', 'production'],
  'any other': [null, 'consumption'],
};
const alone: readonly Role[] = ['battery', 'gas', 'production', 'water'];

/** The table has rows for every role, with what the code calls a channel. */
export function fieldsAgree(): string[] {
  const rows = readTableRows(page).filter((cells) => cells.length === 4 && nameInCode(cells[0]) !== '');
  const words = [...new Set(rows.map(([, role = '']) => role))];
  return [
    ...unless(rows.length > 25, page, '', 'has few rows'),
    ...differences(words, [...Object.keys(shared), ...alone], 'role').map((fault) => faultAt(page, '', fault)),
    ...rows.flatMap(([channel, word, name = '', unit = '']) => {
      const roles = shared[word ?? ''] ?? alone.filter((role) => role === word);
      const fields = roles.map((role) => fieldOf(nameInCode(channel), role, 'reading'));
      const shown = unit.replaceAll('|', '').trim();
      return fields
        .filter((field) => field.name !== nameInCode(name) || (field.unit ?? '') !== shown)
        .map((field) =>
          faultAt(page, `| ${channel ?? ''} | ${word ?? ''} |`, `the code says ${field.name} ${field.unit ?? ''}`),
        );
    }),
  ];
}
