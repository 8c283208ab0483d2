/** The example page of the house: its content on every screen, and while its monitor does not answer. */
import should from 'should';
import { readFile } from 'node:fs/promises';
import type { BalancePayload } from '../../src/model/payload';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { energyPage, hourOf, type Shown, shownOn, tilesOf, withTaps } from '../support/browser/energy-page';
import { freePort, NodeRed } from '../support/node-red/node-red';
import { devices, findings } from '../support/browser/page-checks';
import { putScreensTogether } from '../support/browser/screens';
import { until } from '../support/until';

/** Import, own production and export all have bars by then. */
const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

describe('the energy page @node-red-5', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser | null = null;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows: withTaps(energyPage()),
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    await nodeRed.waitFor('seen', (messages) => new Set(messages.map(({ last }) => last)).size === 4, 90_000);
  });

  afterEach(async () => {
    await browser?.close();
    browser = null;
  });

  after(async () => {
    await nodeRed.stop();
    await putScreensTogether('energy-page');
  });

  async function open(size: { width: number; height: number }, emulated = {}): Promise<Browser> {
    browser = await Browser.open({ ...size, clock: sunnyAfternoon });
    await browser.page.emulateMedia(emulated);
    await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    await until('the picture and the bars', async () => {
      const { page } = browser ?? {};
      return (
        (await page?.locator('.energy .dots[d]').count()) === 4 && (await page?.locator('rect.back').count()) !== 0
      );
    });
    return browser;
  }

  /** The newest balance of a node. */
  async function newest(node: string): Promise<BalancePayload> {
    const messages = (await nodeRed.messages('seen')).filter(({ last }) => last === node);
    return messages.at(-1)?.payload as BalancePayload;
  }

  it('shows the numbers of the balances, with both inverters in the sun', async () => {
    const { page } = await open(devices.desktop);
    const now = await until('the numbers of one moment', async () => {
      const { values, meters } = await newest('now');
      const shown = await shownOn(page);
      const { power_production_w: sun, power_export_w: given, power_house_w: house } = values;
      const isShown = [sun, given, house].every((value) => shown.picture.includes(`${Math.round(Number(value))}`));
      return isShown && { values, meters, shown };
    });
    now.meters.production.should.eql(['s01', 'mb5']);
    const { values, cost, counters } = await newest('day');
    const fixed = (field: string, digits: number): string => Number(values[field]).toFixed(digits);
    const shown = await until('the numbers of today', async () => {
      const now = await shownOn(page);
      return now.text.includes(`Used ${fixed('energy_house_kwh', 1)} kWh`) && now;
    });
    for (const text of [
      `Cost €${Number(cost?.total).toFixed(2)}`,
      `From the sun ${fixed('energy_production_kwh', 1)} kWh`,
      `Self-sufficiency ${Math.round(Number(values['self_sufficiency']) * 100)} %`,
      `Gas Today ${fixed('gas_m3', 2)} m³`,
      `Water Today ${Math.round(Number(values['water_m3']) * 1000)} L`,
      `From the grid, tariff 1 1.8.1 ${readingOf(counters, 'energy_import_t1_kwh')} kWh`,
      `To the grid, tariff 2 2.8.2 ${readingOf(counters, 'energy_export_t2_kwh')} kWh`,
      `From the sun ${readingOf(counters, 'energy_production_kwh')} kWh`,
      `Water ${readingOf(counters, 'water_m3')} m³`,
    ]) {
      shown.text.should.containEql(text);
    }
    const { peak } = await newest('month');
    shown.text.should.containEql(`this month ${(Number(peak?.power_w) / 1000).toFixed(2)} kW`);
  });

  it('compares gas and water with yesterday and with the same day of last week', async () => {
    const { page } = await open(devices.desktop);
    const messages = (await nodeRed.messages('seen')).filter(({ last }) => last === 'past');
    const [yesterday, week] = ['2026-06-17', '2026-06-11'].map(
      (date) => messages.find(({ payload }) => (payload as BalancePayload).period?.label === date)?.payload,
    ) as BalancePayload[];
    const { text } = await shownOn(page);
    for (const [name, day] of [
      ['Yesterday', yesterday],
      ['Thursday last week', week],
    ] as const) {
      const gas = Number(day?.values['gas_m3']).toFixed(2);
      const water = Math.round(Number(day?.values['water_m3']) * 1000);
      text.should.match(new RegExp(`Gas .*${name} [\\d.]+ m³ by this time ${gas} m³.*Water`));
      text.should.match(new RegExp(`Water .*${name} \\d+ L by this time ${water} L`));
    }
  });

  it('stacks own production on what came from the grid, and draws what went to the grid below zero', async () => {
    const { page } = await open(devices.desktop);
    const day = await newest('day');
    const bars = await page.locator('.plot rect[class]').evaluateAll((rects) =>
      rects.map((rect) => ({
        kind: rect.getAttribute('class') ?? '',
        hour: Math.floor(Number(rect.getAttribute('x'))),
        top: Number(rect.getAttribute('y')),
        height: Number(rect.getAttribute('height')),
      })),
    );
    const at = (kind: string, hour: number) => bars.find((bar) => bar.kind === kind && bar.hour === hour);
    const sum = (field: string, hour: number): number => hourOf(day, field, hour);
    // From 06:00 to 07:00 the house imports, uses its own production and exports; the bars have the heights of the amounts.
    const [grid, own, noon] = [at('grid', 6), at('sun', 6), at('back', 13)];
    should(Number(own?.top) + Number(own?.height)).be.approximately(Number(grid?.top), 0.01);
    should(Number(noon?.top)).be.approximately(Number(grid?.top) + Number(grid?.height), 0.01);
    const scale = Number(noon?.height) / sum('energy_export_kwh', 13);
    should(grid?.height).be.approximately(scale * sum('energy_import_kwh', 6), 0.01);
    should(own?.height).be.approximately(scale * sum('energy_self_consumed_kwh', 6), 0.01);
    bars.filter(({ hour }) => hour > 17).should.be.empty();
    // The label of each hour, for screen readers and for the mouse.
    const label = await page.locator('.plot g').nth(13).getAttribute('aria-label');
    should(label).containEql(`To the grid ${String(Number(sum('energy_export_kwh', 13).toFixed(2)))} kWh`);
    await page.locator('.plot g').nth(13).hover();
    await page.locator('small', { hasText: label ?? '' }).waitFor();
  });

  it('draws the power of the house and of the sun in place of the bars when the switch is pressed', async () => {
    const { page } = await open(devices.desktop);
    await page.getByRole('button', { name: 'Power' }).click();
    await page.locator('path.sun').waitFor();
    should(await page.locator('.plot rect[class]').count()).equal(0);
    const quarters = async (line: string): Promise<number> =>
      (await page.locator(`path.${line}`).getAttribute('d'))?.split(/[ML]/).length ?? 0;
    (await quarters('text')).should.be.within(66, 70);
    (await quarters('sun')).should.equal(await quarters('text'));
    should(await page.getByRole('button', { name: 'Power' }).getAttribute('aria-pressed')).equal('true');
    await page.getByRole('button', { name: 'Per hour' }).click();
    await page.locator('rect.back').first().waitFor();
  });

  it('moves the dots faster for more power, away from the house for export, and not at all where no motion is wanted', async () => {
    const { page } = await open(devices.desktop);
    const dots = async () =>
      page.locator('.energy .dots[d]').evaluateAll((paths) =>
        paths.map((path) => ({
          path: path.getAttribute('d'),
          seconds: parseFloat(getComputedStyle(path).animationDuration),
          moving: path.getAnimations().length,
        })),
      );
    const [sun, back] = await dots();
    should(back?.path).equal('M140 226H78');
    should(sun?.moving).equal(1);
    await until('seconds that follow the power', async () => {
      const { power_production_w: power } = (await newest('now')).values;
      const expected = (1 / (0.25 + Math.sqrt(Number(power) / 1000))).toFixed(1);
      return (await dots())[0]?.seconds === Number(expected);
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    (await dots()).map(({ moving }) => moving).should.eql([0, 0, 0, 0]);
  });

  for (const [device, size] of Object.entries(devices)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`fits on a ${device}, in ${colorScheme} colours that everybody can read`, async () => {
        const { page, errors, outside } = await open(size, { colorScheme });
        const background = colorScheme === 'dark' ? 'rgb(24, 36, 40)' : 'rgb(255, 255, 255)';
        // The colour of a card changes in some steps.
        await until(`cards of ${background}`, () =>
          page
            .locator('.v-card')
            .evaluateAll(
              (cards, colour) => cards.every((card) => getComputedStyle(card).backgroundColor === colour),
              background,
            ),
        );
        should(await page.evaluate(() => document.documentElement.scrollWidth)).be.belowOrEqual(size.width);
        await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
        (await findings(page, '.nrdb-ui-page')).should.eql([]);
        // Between two readings the house may have no number; a picture shows one.
        await until('the power of the house', async () => !(await shownOn(page)).picture.includes('– W'), 60_000);
        await browser?.picture(`energy-page-${device}-${colorScheme}`);
        errors.should.be.empty();
        outside.should.be.empty();
      });
    }
  }
});

/** In the format of the meter's display. */
function readingOf(counters: BalancePayload['counters'], field: string): string {
  return Math.floor(Number(counters[field]?.end?.[1])).toLocaleString('en-GB');
}

describe('the energy page without its monitor @node-red-5', function () {
  this.timeout(900_000);

  it('says since when there are no readings and shows the old ones in grey, and in Dutch where the flow says so', async () => {
    const port = await freePort();
    const simulator = await startSimulator({ localPort: port });
    let returned: Simulator | null = null;
    const connected = { mode: 'local', host: `127.0.0.1:${port}` };
    const env = [
      { name: 'lang', type: 'str', value: 'nl' },
      { name: 'AWAY_AFTER_SECONDS', type: 'num', value: '45' },
    ];
    const nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      flows: energyPage().map((node) => {
        if (node.type === 'tab') return { ...node, env };
        return node.type === 'cemm-connection' ? { ...node, ...connected } : node;
      }),
    });
    const browser = await Browser.open({ width: 1280, height: 800 });
    const { page } = browser;
    const shown = (): Promise<Shown> => shownOn(page);
    const greyParts = (): Promise<number> => page.locator('.energy.old').count();
    try {
      await page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
      await until('numbers in Dutch', async () => /Huis \d+ W/.test((await shown()).picture), 120_000);
      // The example asks for the day every five minutes, also when the first answer takes too long.
      await until('the day', async () => tilesOf(await shown()).length === 4, 420_000);
      const words = ['Verbruikt', 'Kosten', 'Van de zon', 'Zelfvoorziening', 'Meterstanden', 'Hoogste kwartier'];
      for (const word of words) (await shown()).text.should.containEql(word);
      (await shown()).text.should.not.match(/From|Today|Yesterday|tariff/);
      (await greyParts()).should.equal(0);
      const last = tilesOf(await shown());
      await simulator.close();
      await until('grey numbers', async () => (await greyParts()) === 4, 120_000);
      const told = await page.locator('[role=status]').innerText();
      told.should.match(/^Geen metingen van de monitor sinds \w+ \d+ \w+.*\d\d:\d\d\. \S/);
      tilesOf(await shown()).should.eql(last);
      should(await page.locator('.energy .dots[d]:visible').count()).equal(0);
      await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
      (await findings(page, '.nrdb-ui-page')).should.eql([]);
      await browser.picture('energy-page-away');
      returned = await startSimulator({ localPort: port });
      await until('numbers in colour', async () => (await greyParts()) === 0, 90_000);
      should(await page.locator('[role=status]').innerText()).equal('');
    } finally {
      await browser.close();
      await nodeRed.stop();
      await simulator.close();
      await returned?.close();
    }
  });
});
