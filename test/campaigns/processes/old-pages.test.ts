/**
 * The pages that were examples before the node cemm-page: users have them in their flows. They still run in the packed package,
 * in a real Node-RED, without an error in the log.
 */
import should from 'should';
import type { ChartPoint } from '../../../src/formats/chart';
import { isRecord } from '../../../src/checks/record';
import { NodeRed, type CollectedMessage, type FlowNode } from '../../support/node-red/node-red';
import { oldPage } from '../../support/node-red/old-page';
import { changed, readComplaintCode, lastNodes, payloadOf, runTapped } from '../../support/node-red/tapped-flow';
import { until } from '../../support/until';

/** A sunny day in the middle of a month and of a year. */
const noon = '2026-06-18T13:00:00+02:00';

/** Data of the page of what-2027-costs. */
interface Year {
  readonly period: string;
  readonly kept: number;
  readonly all: number;
  readonly told: readonly string[];
  readonly cards: readonly { readonly name: string; readonly value: string; readonly more: readonly string[] }[];
}

/** Data of the page of month-and-year-report. */
interface Report {
  readonly parts: readonly {
    readonly headings: readonly string[];
    readonly rows: readonly { readonly amounts: readonly (readonly (number | null)[])[] }[];
  }[];
  readonly readings: readonly { readonly name: string; readonly text: string }[];
  readonly told: readonly string[];
}

/** The example with a collector for the data of its page. */
function withPage(flow: readonly FlowNode[], z: string, from: string, to: string): FlowNode[] {
  const func = "return { ...msg, last: 'page' };";
  const page = { id: 'page', type: 'function', z, func, outputs: 1, wires: [['seen']] };
  return [...changed(flow, from, { wires: [[to, 'page']] }), page];
}

const energyParts = ['picture', 'today', 'amounts', 'meters'].map((part) => `cemm-energy-show-${part}`);

/** The example energy-page with a collector for the data of its parts. */
function withParts(flow: readonly FlowNode[]): FlowNode[] {
  const seen = flow.map((node) =>
    energyParts.includes(node.id)
      ? { ...node, wires: [[...((node['wires'] as string[][])[0] ?? []), `of-${node.id}`]] }
      : node,
  );
  const taps = energyParts.map((last): FlowNode => ({
    id: `of-${last}`,
    type: 'function',
    z: 'cemm-energy',
    outputs: 1,
    wires: [['seen']],
    func: `return { ...msg, last: ${JSON.stringify(last)} };`,
  }));
  return [...seen, ...taps];
}

describe('the pages of before @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ modules: ['@flowfuse/node-red-dashboard'], env: { CEMM_TEST_CLOCK: noon } });
  });

  after(() => nodeRed.stop());

  const run = (flow: readonly FlowNode[]) => runTapped(nodeRed, flow);

  it('energy-page sends something to each of its four parts', async () => {
    const flow = oldPage('energy-page');
    const { got, complaints } = await run(withParts(flow));
    await got(...energyParts);
    // The first one of each part can come before the readings.
    const isShown = ({ last, payload }: CollectedMessage): boolean =>
      last === 'cemm-energy-show-meters' && isRecord(payload) && payload['title'] === 'Meter readings';
    await nodeRed.waitFor('seen', (messages) => messages.some(isShown), 60_000);
    (await complaints()).should.be.empty();
  });

  it('house-balance shows four numbers, and bars of today and of this month', async () => {
    const flow = oldPage('house-balance');
    const { got, complaints } = await run(flow);
    const first = await got(...lastNodes(flow).map(({ id }) => id));
    // A cloud between the readings of two meters may leave the house without a number for a moment.
    const numbers = { house: /^\d+ W$/, sun: /^\d+ W$/, share: /^\d+ %$/, cost: /^EUR -?\d+\.\d\d$/ };
    const isShown = (messages: readonly CollectedMessage[], id: string, number: RegExp): boolean =>
      messages.some(({ last, payload }) => last === `cemm-house-${id}` && number.test(String(payload)));
    await nodeRed.waitFor(
      'seen',
      (messages) => Object.entries(numbers).every(([id, number]) => isShown(messages, id, number)),
      60_000,
    );
    const slots = (id: string): number =>
      new Set((payloadOf(first, id) as ChartPoint[]).map(({ label }) => label)).size;
    // At the border of the thirteenth hour, on the eighteenth day.
    slots('cemm-house-day-chart').should.be.within(13, 14);
    slots('cemm-house-month-chart').should.equal(18);
    const month = payloadOf(first, 'cemm-house-month-chart') as ChartPoint[];
    const today = month.filter(({ label, value }) => label === month.at(-1)?.label && value !== null);
    today.should.have.length(3, 'import, own production and export of the running day');
    (await complaints()).should.be.empty();
  });

  it('house-balance shows a number in grey when nothing newer comes, and a dash for one that is not known', async () => {
    const flow = oldPage('house-balance');
    const ask: FlowNode = { id: 'ask', type: 'inject', z: 'cemm-house', props: [], wires: [['cemm-house-now']] };
    const once = changed(changed(flow, 'cemm-house-now', { interval: 0 }), 'cemm-house-now-old', { duration: '1' });
    const { got } = await run([...once, ask]);
    let presses = 0;
    // A cloud between the readings of two meters may leave the house without a number for a moment. Each moment is shown twice.
    const shown = await until('a number of the house', async () => {
      presses += 1;
      await nodeRed.inject('ask');
      const all = await until('the grey text', async () => {
        const houses = (await got('cemm-house-house')).filter(({ last }) => last === 'cemm-house-house');
        return houses.length >= presses * 2 && houses;
      });
      return /^\d+ W$/.test(String(all.at(-2)?.payload)) && all.slice(-2);
    });
    const colours = shown.map(({ payload, ui_update: update }) => [payload, update]);
    colours.should.deepEqual([
      [shown[0]?.payload, { label: 'House', color: '#0b4f4a' }],
      [shown[0]?.payload, { label: 'House', color: '#9aa5a5' }],
    ]);
    // A missing inverter.
    const { got: gotThen, complaints } = await run([...changed(once, 'cemm-house-now', { production: 's09' }), ask]);
    await nodeRed.inject('ask');
    await gotThen('cemm-house-debug');
    // The last number of the previous flow may arrive after the redeploy.
    for (const id of ['cemm-house-house', 'cemm-house-sun']) {
      await until(`the dash of ${id}`, async () => {
        const message = (await gotThen(id)).findLast(({ last }) => last === id);
        return message?.payload === '–' && should(message).containDeep({ ui_update: { color: '#9aa5a5' } });
      });
    }
    (await complaints()).map(readComplaintCode).should.eql(['ALIAS']);
  });

  it('energy-page and house-balance show nothing of the demo monitor any more when another one is chosen', async () => {
    const silent = { mode: 'local', host: '127.0.0.1:9' };
    const page = withParts(oldPage('energy-page'));
    await (await run(page)).got(...energyParts);
    await run(changed(page, 'cemm-demo-monitor', silent));
    const latest = (messages: readonly CollectedMessage[], id: string): unknown =>
      messages.findLast(({ last }) => last === id)?.payload;
    const isDashed = (text: unknown): boolean => String(text).startsWith('–');
    await nodeRed.waitFor('seen', (messages) => {
      const picture = latest(messages, 'cemm-energy-show-picture') as { parts: { text: string }[]; time: string };
      const isEmpty = energyParts.slice(1).every((part) => latest(messages, part) === null);
      return isEmpty && [picture.time, ...picture.parts.map(({ text }) => text)].every(isDashed);
    });

    const house = oldPage('house-balance');
    await (await run(house)).got('cemm-house-house', 'cemm-house-cost', 'cemm-house-day-chart');
    await run(changed(house, 'cemm-demo-monitor', silent));
    const charts = ['cemm-house-day-chart', 'cemm-house-month-chart'];
    const numbers = ['house', 'sun', 'share', 'cost'].map((name) => `cemm-house-${name}`);
    await nodeRed.waitFor(
      'seen',
      (messages) =>
        charts.every((chart) => (latest(messages, chart) as unknown[] | undefined)?.length === 0) &&
        numbers.every((name) => isDashed(latest(messages, name))),
      90_000,
    );
  });

  it('month-and-year-report puts this year beside the last one, and gives it as CSV to a Dutch and to an English spreadsheet', async () => {
    const flow = oldPage('month-and-year-report');
    const { got, complaints } = await run(withPage(flow, 'cemm-report', 'cemm-report-as-text', 'cemm-report-show'));
    await got('page');
    // This month, the same month of last year, and May.
    const hasThree = ({ last, payload }: CollectedMessage): boolean =>
      last === 'page' && (payload as Report).told[0] === '3 of 18 months are read';
    const messages = await nodeRed.waitFor('seen', (all) => all.some(hasThree));
    const { parts, readings } = messages.find(hasThree)?.payload as Report;
    parts
      .map(({ headings }) => headings)
      .should.eql([
        ['Jun 2026', 'Jun 2025'],
        ['2026', '2025'],
      ]);
    parts.map(({ rows }) => rows.length).should.eql([30, 12]);
    const [days, months] = parts.map(({ rows }) => rows);
    const [may] = months?.[4]?.amounts ?? [];
    for (const amount of [...(days?.[16]?.amounts.flat() ?? [null]), ...(may ?? [null])]) should(amount).be.a.Number();
    should(days?.[29]?.amounts[0]).eql([null, null, null, null]);
    should(months?.[11]?.amounts[0]).eql([null, null, null, null]);
    readings
      .map(({ name }) => name)
      .should.containDeep(['Import, tariff 1', 'Export, tariff 2', 'Production', 'Gas', 'Water']);
    should(readings[0]?.text).match(/^[\d,]+\.\d{3} kWh$/);
    const csv = async (query: string): Promise<string[]> => {
      const response = await fetch(`${nodeRed.url}/cemm-report.csv?${query}`);
      should(response.headers.get('content-type')).equal('text/csv; charset=utf-8');
      // response.text() would remove the byte order mark.
      return Buffer.from(await response.arrayBuffer())
        .toString()
        .split('\r\n');
    };
    const texts = (may ?? []).map((amount) => String(Math.round(Number(amount) * 1000) / 1000));
    const english = await csv('of=months&decimal=point');
    should(english[0]).equal('\ufeffdate,import_kwh,export_kwh,self_consumed_kwh,cost');
    english.should.containEql(['2026-05', ...texts].join(','));
    const dutch = await csv('of=months&decimal=comma');
    should(dutch[0]).equal('\ufeffdate;import_kwh;export_kwh;self_consumed_kwh;cost');
    dutch.should.containEql(['2026-05', ...texts.map((text) => text.replace('.', ','))].join(';'));
    const dates = (await csv('of=days&decimal=point')).map((line) => line.split(',')[0]);
    should(dates.at(-2)).equal('2026-06-18');
    dates.should.containEql('2025-06-01');
    (await complaints()).should.be.empty();
  });

  it('what-2027-costs keeps the days that it has read, and shows how much of the year they are', async () => {
    const flow = oldPage('what-2027-costs');
    // A week instead of everything; the page of a whole year is in test/browser.
    const week = { from: '2026-06-11', fromType: 'str', to: '2026-06-17', toType: 'str' };
    const short = changed(flow, 'cemm-2027-days', week);
    const { got, complaints } = await run(withPage(short, 'cemm-2027', 'cemm-2027-cards', 'cemm-2027-show'));
    await got('page');
    const isWeek = ({ last, payload }: CollectedMessage): boolean => last === 'page' && (payload as Year).kept === 7;
    const messages = await nodeRed.waitFor('seen', (all) => all.some(isWeek));
    const { period, all, told, cards } = messages.find(isWeek)?.payload as Year;
    should(all).equal(365);
    should(period).match(/^18 June 2025\s–\s17 June 2026$/);
    should(told).eql(['7 of 365 days are read']);
    cards.should.have.length(6);
    for (const { name, value, more } of cards) {
      value.should.match(/^(?:-?€\d[\d,]*\.\d\d|\d+%|\d+(?:\.\d+)? kW)$/, name);
      should(more.at(-1)).equal('1% of the year was measured');
    }
    (await complaints()).should.be.empty();
  });
});
