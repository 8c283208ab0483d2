/**
 * *Add the flow that gets prices*: imports the example `dynamic-prices` for the connection of the dialog. The example is the only place
 * that knows the sources of prices.
 */
import { isRecord } from '../../../../src/checks/record';
import { addNodes, type NewNode } from '../dashboard/add-nodes';
import { onClick } from '../admin-calls';
import type { CatalogueText } from '../catalogue';
import { createButton } from '../form-parts';
import { textFrom } from '../open-form';
import { type Additions, additions, priceFlow } from './flow';
import { parseDecimal } from './form';

/** Relative, so that a moved admin root and a proxy keep working. */
const exampleUrl = 'library/examples/flows/node-red-contrib-cemm/dynamic-prices';

/** The global variable that the example writes. */
export const housePrices = 'housePrices';

export interface PriceFlowWords {
  /** Beginning of the ids of the fields. */
  readonly prefix: string;
  /** Id of the connection of the open dialog. */
  readonly connection: string;
  readonly text: CatalogueText;
  /** The JSON of the form. */
  readonly prices: () => string;
  /** Called once the flow is there. */
  readonly onAdded: () => void;
}

/** Three fields and the button. */
export function createPriceFlowForm({ prefix, connection, text, prices, onAdded }: PriceFlowWords): JQuery {
  const status = $('<div>').addClass('cemm-hint').attr('role', 'status');
  const fields = additions.map((name) => {
    const id = `${prefix}-price-flow-${name}`;
    const input = $('<input>').attr({ type: 'text', id, inputmode: 'decimal', autocomplete: 'off' });
    input.on('input', () => {
      input.removeClass('input-error');
      status.empty();
    });
    const label = $('<label>')
      .attr('for', id)
      .text(text(`form.price.flow.${name}`));
    return { name, input, row: $('<div>').addClass('cemm-price').append(label, input) };
  });
  const button = createButton(text('form.price.flow.add'), 'fa fa-plus').attr('id', `${prefix}-add-prices`);
  onClick(button, async () => {
    const typed = fields.map(({ name, input }) => [name, parseDecimal(textFrom(input.val()))] as const);
    for (const [index, [, value]] of typed.entries()) {
      fields[index]?.input.toggleClass('input-error', typeof value !== 'number');
    }
    const numbers = typed.flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : []));
    if (numbers.length < additions.length) {
      status.text(text('form.price.flow.notNumber'));
      return;
    }
    if (hasPriceFlow()) {
      onAdded();
      RED.notify($('<span>').text(text('form.price.flow.there')), 'success');
      return;
    }
    const example = await loadExample();
    if (example === null) {
      status.text(text('form.price.flow.noExample'));
      return;
    }
    const amounts = Object.fromEntries(numbers) as Additions;
    const nodes = priceFlow(example, { connection, amounts, prices: prices(), newId: () => RED.nodes.id() });
    addNodes({ nodes, links: [], changes: [] });
    onAdded();
    RED.notify($('<span>').text(text('form.price.flow.added')), 'success');
  });
  return $('<div>')
    .addClass('cemm-price-flow')
    .append(
      $('<div>').addClass('cemm-hint').text(text('form.price.flow.hint')),
      ...fields.map(({ row }) => row),
      button,
      status,
    );
}

function hasPriceFlow(): boolean {
  return RED.nodes.filterNodes({ type: 'change' }).some(({ rules }) => {
    const list: unknown[] = Array.isArray(rules) ? rules : [];
    return list.some((rule) => isRecord(rule) && rule['p'] === housePrices && rule['pt'] === 'global');
  });
}

/** Null without the permission to read the library, or where the file is not there. */
function loadExample(): Promise<NewNode[] | null> {
  return new Promise((resolve) => {
    void $.ajax({ url: exampleUrl, dataType: 'json' })
      .done((body: unknown) => {
        resolve(Array.isArray(body) ? body.filter(isNewNode) : null);
      })
      .fail(() => {
        resolve(null);
      });
  });
}

function isNewNode(value: unknown): value is NewNode {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['type'] === 'string';
}
