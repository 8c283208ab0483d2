/** "Contracts": those of the house with their days, and offers to compare with. */
import { contracts } from './contracts-check';
import { type ContractTexts, contractTexts, writtenContract } from './contract-texts';
import { type ContractRowFields, createContractRow } from './editor-contract-row';
import type { CatalogueText } from '../lib/editor/catalogue';

export interface ContractsPanel {
  /** The contracts as they are stored. */
  read(): object[];
}

/**
 * @param connection id of the connection of the open dialog
 * @param stored contracts of the node, as a flow file has them
 */
export function prepareContractsPanel(connection: string, stored: unknown, text: CatalogueText): ContractsPanel {
  const list = $('#cemm-contracts');
  const problem = $('#cemm-contracts-problem');
  const fieldsOf = new Map<HTMLElement, ContractRowFields>();
  let count = 0;

  const rows = (): ContractRowFields[] =>
    list
      .children()
      .toArray()
      .flatMap((item) => fieldsOf.get(item) ?? []);
  const read = (): object[] => rows().flatMap((row) => writtenContract(row.read()) ?? []);
  const refresh = (): void => {
    const result = contracts(JSON.stringify(read()));
    problem.text(result === true ? '' : text(result.key, result.values));
    const wrong = result === true ? null : result.values?.['contract'];
    for (const row of rows()) row.mark(wrong !== null && row.read().name.trim() === wrong);
  };
  const add = (texts: ContractTexts): void => {
    list.editableList('addItem', texts);
  };

  list.editableList({
    addButton: text('contracts.add'),
    removable: true,
    sortable: false,
    height: 'auto',
    addItem: (container, _index, texts) => {
      const item = container.closest('li').get(0);
      if (item === undefined) return;
      count += 1;
      const row = createContractRow(`cemm-contract-${count}`, contractTexts(texts), {
        connection,
        text,
        onChange: refresh,
      });
      container.append(row.element);
      // A link of Node-RED, without a text.
      $(item).find('.red-ui-editableList-item-remove').attr('aria-label', text('contracts.remove'));
      fieldsOf.set(item, row);
      refresh();
    },
    removeItem: () => {
      setTimeout(refresh, 0);
    },
  });
  list.closest('.red-ui-editableList').on('click', '.red-ui-editableList-addButton', () => {
    rows().at(-1)?.focus();
  });
  for (const row of Array.isArray(stored) ? (stored as readonly unknown[]) : []) add(contractTexts(row));
  refresh();
  return { read };
}
