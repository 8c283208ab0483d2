/** "Contracts": those of the house with their days, and offers to compare with. */
import { contracts } from './contracts-check';
import { contractTexts, writtenContract } from './contract-texts';
import { createContractRow } from './editor-contract-row';
import { prepareRowList, unchangedRows } from './editor-row-list';
import type { CatalogueText } from '../lib/editor/catalogue';
import { priceNames } from '../lib/editor/prices/form';

export interface ContractsPanel {
  /** The contracts as they are stored. */
  read(): readonly unknown[];
}

/**
 * @param connection id of the connection of the open dialog
 * @param stored contracts of the node, as a flow file has them
 */
export function prepareContractsPanel(connection: string, stored: unknown, text: CatalogueText): ContractsPanel {
  const problem = $('#cemm-contracts-problem');
  let count = 0;

  const shown = (): object[] => rows().flatMap((row) => writtenContract(row.read()) ?? []);
  const refresh = (): void => {
    const result = contracts(JSON.stringify(shown()));
    problem.text(result === true ? '' : text(result.key, withWords(result.values ?? {}, text)));
    const wrong = result === true ? null : result.values?.['contract'];
    for (const row of rows()) row.mark(wrong !== null && row.read().name.trim() === wrong);
  };
  const { rows, fill } = prepareRowList($('#cemm-contracts'), {
    words: { add: text('contracts.add'), remove: text('contracts.remove') },
    textsOf: contractTexts,
    createRow: (texts) => {
      count += 1;
      return createContractRow(`cemm-contract-${count}`, texts, { connection, text, onChange: refresh });
    },
    onChange: refresh,
  });
  fill(stored);
  refresh();
  return { read: () => unchangedRows(stored, shown(), (row) => writtenContract(contractTexts(row))) };
}

type Values = Readonly<Record<string, string | number>>;

/** A place in the stored list, such as `contracts[1].prices.import`, as the words of the form. */
function withWords(values: Values, text: CatalogueText): Values {
  const { place } = values;
  const [, index, isPrice, name] = /^contracts\[(\d+)\]\.(?:name|(prices)(?:\.(\w+))?)/.exec(String(place)) ?? [];
  if (index === undefined) return values;
  if (isPrice === undefined) return { ...values, place: `${text('contracts.add')} ${Number(index) + 1}` };
  const known = ['currency', ...priceNames].find((one) => one === name);
  if (known === undefined && name !== undefined) return values;
  return { ...values, place: text(known === undefined ? 'form.prices' : `form.price.${known}`) };
}
