/** Every dialog of every node in all four languages: no word cut off, no sentence missing, and a picture of each. */
import 'should';
import type { Page } from 'playwright-core';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { loopbackOnly } from '../support/network/discoverable';
import { cancelDialog, dialogNodes, openDialog, openEditor } from '../support/browser/dialogs';
import { wordsIn, wordsOfEnglishOnly } from '../support/editor/english-words';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';

/** Texts of the form that are wider than their box. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    // A select cuts its choices silently; its arrow takes about 30 pixels.
    const choices = [...document.querySelectorAll<HTMLOptionElement>('.cemm-form select option')]
      .filter(({ parentElement }) => parentElement instanceof HTMLSelectElement && parentElement.offsetParent !== null)
      .filter(({ parentElement, text }) => {
        if (pen === null || parentElement === null) return true;
        pen.font = getComputedStyle(parentElement).font;
        return pen.measureText(text).width > parentElement.clientWidth - 30;
      });
    const tray = document.querySelector('.red-ui-tray-body')?.getBoundingClientRect();
    return [
      ...document.querySelectorAll<HTMLElement>('.cemm-form :is(label, span, button, div, p, strong, select, input)'),
    ]
      .filter((part) => part.offsetParent !== null && getComputedStyle(part).display !== 'inline')
      .filter((part) => {
        const { right } = part.getBoundingClientRect();
        const typed = part instanceof HTMLInputElement;
        return (!typed && part.scrollWidth > part.clientWidth + 1) || (tray !== undefined && right > tray.right + 1);
      })
      .concat(choices)
      .map((part) => `${part.id} ${part.className} ${part.textContent.trim()}`);
  });
}

/**
 * Every text of the form, including hidden ones. The rest of the tray, and the choice of a configuration node, have texts from
 * Node-RED, which has no Dutch catalogue.
 */
function formText(page: Page): Promise<string> {
  return page
    .locator('.cemm-form')
    .first()
    .evaluate((form) => {
      const texts = document.createTreeWalker(form, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (texts.nextNode() !== null) {
        const { parentElement, textContent } = texts.currentNode;
        const isOfNodeRed = parentElement?.closest('select')?.querySelector('[value="_ADD_"]') !== null;
        if (parentElement?.closest('select') === null || !isOfNodeRed) found.push(textContent ?? '');
      }
      return found.join(' ');
    });
}

/** Right edges of fields and their neighbours, in pixels. */
function rightEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const fields = document.querySelectorAll<HTMLElement>(
      '.cemm-form .form-row > :is(input[type=text]:not(.cemm-number, .cemm-actions > *), input[type=password], select, label + div, .cemm-found)',
    );
    const edges = [...fields]
      .filter((field) => field.offsetParent !== null)
      .map((field) => [Math.round(field.getBoundingClientRect().right), field.id || field.className] as const);
    const most = Math.max(...edges.map(([right]) => right));
    return edges.filter(([right]) => right < most - 1).map(([right, name]) => `${name} ends ${most - right} px before`);
  });
}

/** Fields and buttons that stand in the column of the labels, and numbers that are on another line than their words. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>('.cemm-form .form-row :is(button, select, input)')].filter(
      ({ offsetParent }) => offsetParent !== null,
    );
    const inLabels = parts
      .filter((part) => {
        const row = part.closest('.form-row')?.getBoundingClientRect();
        return row === undefined || part.getBoundingClientRect().left < row.left + 138;
      })
      .map(({ id, textContent }) => `${id} ${textContent.trim()} is in the column of the labels`);
    const apart = parts
      .filter(({ id }) => /price-(import|export)-2$/.test(id))
      .filter((field) => {
        const words = field.previousElementSibling?.getBoundingClientRect();
        const { top, bottom } = field.getBoundingClientRect();
        return words === undefined || words.top < top || words.bottom > bottom;
      })
      .map(({ id }) => `${id} is not beside its words`);
    return [...inLabels, ...apart];
  });
}

/** Node types whose name in the palette reaches the port on its right. */
function namesAtPort(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.red-ui-palette-node[data-palette-type^="cemm-"]')]
      .filter((node) => {
        const text = document.createRange();
        text.selectNodeContents(node.querySelector('.red-ui-palette-label') ?? node);
        // A port takes 5 pixels of the node.
        return text.getBoundingClientRect().right > node.getBoundingClientRect().right - 8;
      })
      .map(({ dataset }) => dataset['paletteType'] ?? ''),
  );
}

describe('every dialog', function () {
  this.timeout(170_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let nodes: FlowNode[];
  let browser: Browser;
  const englishOnly = wordsOfEnglishOnly();
  // Names of monitors and meters.
  const names = new Set(['demo']);

  before(async () => {
    simulator = await startSimulator({ localPort: 0, since: weeksAgo(5) });
    nodes = dialogNodes(simulator.local ?? '');
    nodeRed = await NodeRed.start({
      flows: [tab(), ...nodes],
      modules: ['@flowfuse/node-red-dashboard'],
      nodeOptions: loopbackOnly,
    });
  });

  afterEach(() => browser.close());

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  for (const language of ['en-US', 'nl', 'de', 'fr']) {
    // The catalogues are the same, so it is enough to test the longest words and the most common language there.
    const tag = language === 'nl' || language === 'de' ? ' @node-red-5-daily' : '';
    it(`shows every word whole in ${language}${tag}`, async () => {
      browser = await Browser.open({ language, height: 1_300 });
      const page = await openEditor(browser, nodeRed.url);
      (await namesAtPort(page)).should.eql([], language);
      for (const node of nodes) {
        await openDialog(page, node);
        if (node.id === 'connection-local' || node.id === 'connection-public') {
          await page.click('#cemm-check');
          await page.locator('.cemm-step-ok').nth(5).waitFor();
        } else if (node['monitor'] === '001122334455') {
          await page.locator('#cemm-picks-monitor .cemm-away').waitFor();
        }
        if (node.type === 'cemm-format') {
          const hasFields = await page.locator('#node-input-fields').isVisible();
          hasFields.should.equal(!['homewizard', 'prices', 'price-list'].includes(String(node['format'])));
        }
        (await cutTexts(page)).should.eql([], `${node.id} in ${language}`);
        (await rightEdges(page)).should.eql([], `${node.id} in ${language}`);
        (await misplaced(page)).should.eql([], `${node.id} in ${language}`);
        const text = await page.locator('.red-ui-tray').innerText();
        text.should.not.match(
          /\b(form|field|check|hint|heading|button|option|period|port)\.\w/,
          `${node.id} in ${language}`,
        );
        if (language === 'nl') {
          const words = wordsIn(await formText(page));
          words.filter((word) => englishOnly.has(word) && !names.has(word)).should.eql([], `${node.id} in ${language}`);
        }
        await browser.picture(`dialog-${node.id}-${language}`, '.red-ui-tray');
        await cancelDialog(page);
      }
      browser.errors.should.be.empty();
    });
  }
});
