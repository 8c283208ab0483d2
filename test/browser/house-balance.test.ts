/** The example page of the whole house, on a desktop and on a phone. */
import 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser/browser';
import { projectDir } from '../support/node-red/installed-package';
import { NodeRed, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const flows = JSON.parse(readFileSync(join(projectDir, 'examples/house-balance.json'), 'utf8')) as FlowNode[];

/** Import, own production and export all have bars by then. */
const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

/** Grid import, own production used, grid export. */
const colours = {
  taken: [0xd9, 0x77, 0x06],
  own: [0xea, 0xb3, 0x08],
  given: [0x0d, 0x94, 0x88],
} as const;

/** Chart columns with a colour, and the middle row of its visible part. */
interface Seen {
  readonly columns: number;
  readonly middle: number;
}

/** Below the legend, which shows the same colours. */
async function seenOf(page: Page, chart: number, colour: readonly number[]): Promise<Seen> {
  return page.evaluate(
    ([index, [red = 0, green = 0, blue = 0]]) => {
      const canvas = document.querySelectorAll('canvas')[index];
      const context = canvas?.getContext('2d');
      const legend = Math.round((canvas?.height ?? 0) / 6);
      if (!canvas || !context || canvas.height <= legend) return { columns: 0, middle: 0 };
      const { data, width, height } = context.getImageData(0, legend, canvas.width, canvas.height - legend);
      const columns = new Set<number>();
      let [count, sum] = [0, 0];
      for (let at = 0; at < width * height; at += 1) {
        const [r = 0, g = 0, b = 0] = data.subarray(at * 4, at * 4 + 3);
        if (Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) > 6) continue;
        columns.add(at % width);
        count += 1;
        sum += Math.floor(at / width);
      }
      return { columns: columns.size, middle: count === 0 ? 0 : sum / count };
    },
    [chart, colour] as const,
  );
}

describe('the page of the house as a whole @node-red-5', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows,
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
  });

  after(() => nodeRed.stop());

  for (const [device, size] of [
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 1500 }],
  ] as const) {
    it(`shows four numbers and the bars of today and of the month on a ${device}`, async () => {
      const browser = await Browser.open({ ...size, clock: sunnyAfternoon });
      try {
        const { page } = browser;
        await page.goto(`${nodeRed.url}/dashboard/house`, { waitUntil: 'domcontentloaded' });
        const text = async () => (await page.locator('body').innerText()).replace(/\s+/g, ' ');
        for (const chart of [0, 1]) {
          const bars = await until(`the bars of chart ${chart}`, async () => {
            const [taken, own, given] = [
              await seenOf(page, chart, colours.taken),
              await seenOf(page, chart, colours.own),
              await seenOf(page, chart, colours.given),
            ];
            return [taken, own, given].every(({ columns }) => columns > 20) && { taken, own, given };
          });
          // Own production is stacked on the import, and export is negative.
          bars.own.middle.should.be.below(bars.given.middle);
          bars.taken.middle.should.be.below(bars.given.middle);
        }
        // After the bars, because a cloud between two readings may leave the house without a number for a moment.
        await until(
          'four numbers',
          async () => {
            const shown = await text();
            return [
              /House \d+ W/,
              /From the sun \d+ W/,
              /Self-sufficiency today \d+ %/,
              /Cost today EUR -?\d+\.\d\d/,
            ].every((number) => number.test(shown));
          },
          60_000,
        );
        await browser.picture(`house-balance-${device}`);
        browser.errors.should.be.empty();
        browser.outside.should.be.empty();
      } finally {
        await browser.close();
      }
    });
  }
});
