/** Faults of a page that a program can see: texts, places and sizes. */
import type { Page } from 'playwright-core';

/** Text that is cut, broken, upon another one or no text for a reader; parts that are too small for a finger; a page that is too wide. */
export function textFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('.cemm-page') ?? document.body;
    const { documentElement } = document;
    const isTooWide = documentElement.scrollWidth > documentElement.clientWidth;
    // A menu or picker that is not open still has its places.
    const isClosed = (part: Element): boolean => part.closest('details:not([open]) > :not(summary)') !== null;
    const linesOf = (range: Range): number => {
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      return new Set(tops).size;
    };
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text && node.data.trim() !== '' && node.parentElement?.tagName !== 'OPTION') nodes.push(node);
    }
    const texts = nodes.flatMap((node) => {
      const { data, parentElement: parent } = node;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (parent === null || width === 0) return [];
      const box = parent.closest('dl > div, button, th, td, .plot, section, header, form')?.getBoundingClientRect();
      if (parent.closest('.hidden') !== null || isClosed(parent)) return [];
      const isInTable = parent.closest('.scroll') !== null;
      // The marks below a chart stand in the middle of a bar, also below the first and last one.
      const most = parent.matches('.mark, .unknown') ? 18 : 1;
      const isCut = !isInTable && box !== undefined && (left < box.left - most || right > box.right + most);
      const unreadable =
        /, 0\s?% (?:measured|gemeten|gemessen|mesuré)|NaN|undefined|null|Infinity|\[object|\{\d\}|[-−]0(?:[.,]0+)?(?![\d.,])/.exec(
          data,
        );
      const numbersAndWords = data.matchAll(
        /(?:€\s?)?[-−]?\d[\d.,\u00a0\u202f]*(?::\d\d)?(?:\s?(?:kWh|kW|W|m³|%|€))?|\p{L}{2,}/gu,
      );
      const broken = [...numbersAndWords].flatMap((found) => {
        range.setStart(node, found.index);
        range.setEnd(node, found.index + found[0].trimEnd().length);
        return linesOf(range) > 1 ? [`${found[0]} is broken`] : [];
      });
      return [
        ...(isCut ? [`${parent.tagName} ${data.trim()} is cut`] : []),
        ...(unreadable === null ? [] : [`${data.trim()} has ${unreadable[0]}`]),
        ...broken,
      ];
    });
    const { right: edge } = root.getBoundingClientRect();
    const outside = [...root.querySelectorAll('button, input, select, section')].flatMap((part) =>
      // The bar of views is as wide as the screen.
      !isClosed(part) &&
      part.getBoundingClientRect().right > (part.closest('[popover]') === null ? edge : documentElement.clientWidth) + 1
        ? [`${part.outerHTML.slice(0, 60)} is outside`]
        : [],
    );
    const upon = [...root.querySelectorAll('.chart')].flatMap((chart) => {
      const marks = [...chart.querySelectorAll('.mark')].map((mark) => mark.getBoundingClientRect());
      const shown = marks.filter(({ width }) => width > 0);
      return shown.some(({ left }, index) => left < (shown[index - 1]?.right ?? -1) + 2)
        ? [`marks of ${chart.getAttribute('aria-label') ?? ''} are upon each other`]
        : [];
    });
    const small = [...root.querySelectorAll('button, input, select, summary, [tabindex]')].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      if (isClosed(target)) return [];
      return width < 24 || height < 24 ? [`${target.outerHTML.slice(0, 60)} is ${width} × ${height}`] : [];
    });
    const scrolled = [...root.querySelectorAll('.scroll')].flatMap((part) =>
      part.scrollWidth > part.clientWidth &&
      part.querySelectorAll('th').length < (part.querySelector('.sum') === null ? 3 : 5)
        ? ['a small table scrolls']
        : [],
    );
    return [...(isTooWide ? ['the page is too wide'] : []), ...texts, ...outside, ...upon, ...small, ...scrolled];
  });
}

/**
 * Quarters of the page of which less than two fifths are covered by cards or the form of prices. The columns of *Now* end at different
 * heights, so that a house with three cards covers about half of the last quarter.
 */
export function emptyQuarters(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.cemm-page :is(section, form)')].map((card) =>
      card.getBoundingClientRect(),
    );
    const area = document.querySelector('.cemm-page .cards')?.getBoundingClientRect();
    if (area === undefined || boxes.length < 2) return [];
    const [width, height] = [area.width / 2, area.height / 2];
    const overlap = (from: number, to: number, start: number, length: number): number =>
      Math.max(0, Math.min(to, start + length) - Math.max(from, start));
    return ['left', 'right'].flatMap((side, column) =>
      ['top', 'bottom'].flatMap((end, row) => {
        const covered = boxes.reduce(
          (all, { left, right, top, bottom }) =>
            all +
            overlap(left, right, area.left + column * width, width) *
              overlap(top, bottom, area.top + row * height, height),
          0,
        );
        const share = covered / (width * height);
        return share < 0.4 ? [`${end} ${side} is empty: ${Math.round(100 * share)} %`] : [];
      }),
    );
  });
}

/** The words of a page, without numbers. */
export async function wordsOf(page: Page): Promise<Set<string>> {
  const text = await page.locator('.cemm-page').innerText();
  return new Set(text.split(/[^\p{L}’-]+/u).filter((word) => word.length > 1));
}

/** Controls whose focus cannot be seen, by the keyboard from the first to the last. */
export async function hiddenFocus(page: Page): Promise<string[]> {
  const hidden: string[] = [];
  const count = await page
    .locator('.cemm-page :is(button:not(:disabled), input, select, summary, [tabindex="0"]):visible')
    .count();
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const target = document.activeElement;
      if (target === null || target.closest('.cemm-page') === null) return 'the focus has left the page';
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
      const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
      // The browser itself marks the part of a date that has the focus.
      return isSeen || target.matches('[type="date"]') ? null : target.outerHTML.slice(0, 60);
    });
    if (found !== null) hidden.push(found);
  }
  return hidden;
}
