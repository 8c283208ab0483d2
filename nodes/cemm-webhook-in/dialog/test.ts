/**
 * "Send a signed test" and the list of the last deliveries. Responses are checked before use: a proxy may respond with a page
 * of its own.
 */
import { parseJsonText, readMember } from '../../../src/checks/record';
import { listReader, number, objectReader, orElse, orNull, text } from '../../lib/answer-readers';
import { numberMember, onClick, post, textMember } from '../../lib/editor/admin-calls';
import { textFrom } from '../../lib/editor/open-form';
import type { CatalogueText } from '../../lib/editor/catalogue';
import { adminRoutes } from '../config';
import type { ChosenAddress } from './address';

const listedDelivery = objectReader({
  at: orElse(number, 0),
  status: orElse(number, 0),
  word: orElse(text, ''),
  bytes: orNull(number),
  remote: orNull(text),
  /** Null if the path has no parameters. */
  installation: orNull(text),
});

interface TestAnswer {
  /** Null if nothing answered. */
  readonly status: number | null;
  readonly text: string;
  /** The `error` word of the response, or the reason why there was none. */
  readonly word: string | null;
  readonly ms: number;
  /** Destination of the test, without a key; null if nothing was sent. */
  readonly sentTo: string | null;
}

function readTestAnswer(answer: unknown): TestAnswer {
  const text = textMember(answer, 'answer') ?? '';
  return {
    status: numberMember(answer, 'status'),
    text,
    word: textMember(answer, 'failure') ?? textMember(parseJsonText(text), 'error'),
    ms: numberMember(answer, 'ms') ?? 0,
    sentTo: textMember(answer, 'sentTo'),
  };
}

/** @param chosen the address that the dialog shows */
export function prepareTestPanel(nodeId: string, text: CatalogueText, chosen: () => ChosenAddress): void {
  const button = $('#cemm-webhook-test');
  const refresh = (): void => {
    showDeliveries(nodeId, text);
  };
  $('#cemm-webhook-refresh').on('click', refresh);
  onClick(button, async () => {
    const { way, host } = chosen();
    const reply = await post(adminRoutes.test, { ...formValues(nodeId), way, host });
    if (reply.ok) showAnswer(readTestAnswer(reply.body), text, way === 'proxy');
    else showResult(false, sentence(`advice.${reply.word}`, text));
    refresh();
  });
  refresh();
}

function formValues(id: string): Record<string, unknown> {
  const fieldValue = (name: string): string => textFrom($(`#node-input-${name}`).val());
  const isTicked = (name: string): boolean => $(`#node-input-${name}`).is(':checked');
  return {
    id,
    path: fieldValue('path'),
    listen: fieldValue('listen'),
    port: fieldValue('port'),
    monitors: fieldValue('monitors'),
    installation: textFrom($('#cemm-webhook-installation').val()),
    hmac: isTicked('hmac'),
    header: isTicked('header'),
    query: isTicked('query'),
    headerName: fieldValue('headerName'),
    queryName: fieldValue('queryName'),
    hmacKey: fieldValue('hmacKey'),
    headerKey: fieldValue('headerKey'),
    queryKey: fieldValue('queryKey'),
  };
}

function showAnswer(
  { status, text: answer, word, ms, sentTo }: TestAnswer,
  text: CatalogueText,
  isProxy: boolean,
): void {
  const place = sentTo === null ? [] : [text(isProxy ? 'test.sentBeside' : 'test.sentTo', { address: sentTo })];
  if (status === null) {
    showResult(false, sentence(`advice.${word ?? 'no_answer'}`, text), place);
    return;
  }
  // Only Node-RED's own failures are not JSON here.
  const key = status === 200 ? 'advice.accepted' : word !== null ? `advice.${word}` : `advice.http${status}`;
  const body = word === null && status !== 200 ? [] : [answer];
  showResult(status === 200, sentence(key, text), [...place, text('test.answer', { status, ms }), ...body]);
}

function sentence(key: string, text: CatalogueText): string {
  const found = text(key);
  return found.endsWith(key) ? text('advice.other') : found;
}

/** One line with the result, and the details below it. Text nodes only: parts of the text come from requests. */
function showResult(isAccepted: boolean, summary: string, lines: readonly string[] = []): void {
  const [line] = $('#cemm-webhook-summary').text(`${isAccepted ? '✓' : '✗'} ${summary}`);
  $('#cemm-webhook-result')
    .empty()
    .append(...lines.map((content) => $('<div>').text(content)));
  line?.scrollIntoView({ block: 'nearest' });
}

function showDeliveries(nodeId: string, text: CatalogueText): void {
  const table = $('#cemm-webhook-deliveries');
  void $.getJSON(adminRoutes.deliveries, { id: nodeId })
    .done((answer: unknown) => {
      table.empty();
      for (const kind of ['accepted', 'refused'] as const) {
        const deliveries = listReader(listedDelivery)(readMember(answer, kind));
        if (deliveries.length > 0) addRow(table, '<th>', [text(`test.${kind}`)]).attr('colspan', 5);
        for (const { at, status, word, bytes, remote, installation } of deliveries) {
          addRow(table, '<td>', [
            new Date(at).toLocaleString(),
            String(status),
            sentence(`refused.${word}`, text),
            bytes === null ? '' : text('test.bytes', { bytes }),
            [installation, remote].filter((part) => part !== null).join(' '),
          ]);
        }
      }
      if (table.children().length === 0) table.append($('<tr>').append($('<td>').text(text('test.none'))));
    })
    .fail(() => {
      table.empty();
    });
}

function addRow(table: JQuery, cell: '<td>' | '<th>', texts: readonly string[]): JQuery {
  const row = $('<tr>').appendTo(table);
  for (const content of texts) $(cell).text(content).appendTo(row);
  return row.children();
}
