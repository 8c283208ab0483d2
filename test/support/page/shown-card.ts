/** A card as a reader sees it: texts and bars, read from the page. */
import type { Page } from 'playwright-core';
import type { Card, Chart, Hero, Rect, Shares, Tile, Table, When } from '../../../nodes/cemm-page/page/draw/drawn';
import type { Flow, FlowNode } from '../../../nodes/cemm-page/page/draw/pictures';

/** The parts of a drawn card with numbers. */
export interface ShownCard extends Pick<Card, 'title' | 'note' | 'aside' | 'sentence'> {
  readonly hero:
    (Pick<Hero, 'name' | 'text' | 'notes'> & { readonly cost: Pick<Tile, 'text' | 'notes'> | null }) | null;
  readonly when: Pick<When, 'isChosen'> | null;
  readonly shares: {
    readonly list: readonly Pick<Shares['list'][number], 'name' | 'text'>[];
    readonly sum: Shares['sum'];
  } | null;
  readonly flow: {
    readonly house: Pick<Flow['house'], 'text' | 'unit'>;
    readonly nodes: readonly Pick<FlowNode, 'key' | 'name' | 'text'>[];
  } | null;
  readonly tiles: readonly Pick<Tile, 'name' | 'text' | 'notes'>[];
  readonly chart: {
    readonly ticks: Chart['ticks'];
    readonly rects: readonly (Pick<Rect, 'y' | 'height'> & { readonly colour: string | null })[];
  } | null;
  readonly table: Pick<Table, 'heads' | 'rows' | 'hasSum'> | null;
}

export function shownCards(page: Page): Promise<ShownCard[]> {
  return page.evaluate(() => {
    const textOf = (element: Element | null | undefined): string => element?.textContent.trim() ?? '';
    const all = (within: Element, selector: string): Element[] => [...within.querySelectorAll(selector)];
    const numberIn = (element: Element, name: string): number => Number.parseFloat(element.getAttribute(name) ?? '');
    const flowOf = (card: Element): ShownCard['flow'] => {
      const use = card.querySelector('.flow .use');
      if (use === null) return null;
      return {
        house: { text: textOf(use), unit: textOf(use.nextElementSibling) },
        nodes: all(card, '.flow [data-key]').map((node) => {
          const [text = '', name = ''] = all(node, 'text').map(textOf);
          return { key: node.getAttribute('data-key') ?? '', name, text };
        }),
      };
    };
    const chartOf = (card: Element): ShownCard['chart'] => {
      if (card.querySelector('.chart') === null) return null;
      const texts = all(card, '.chart > .ticks:first-child span').map(textOf);
      const places = all(card, '.rule').map((rule) => numberIn(rule, 'y1'));
      return {
        ticks: places.map((y, index) => ({ y, text: texts[index] ?? '' })),
        rects: all(card, '.bar').map((bar) => ({
          y: numberIn(bar, 'y'),
          height: numberIn(bar, 'height'),
          colour: (bar.getAttribute('class') ?? '').replace('bar ', ''),
        })),
      };
    };
    const tableOf = (card: Element): ShownCard['table'] => {
      const table = card.querySelector('table');
      return table === null
        ? null
        : {
            heads: all(table, 'th').map(textOf),
            rows: all(table, 'tbody tr').map((row) => all(row, 'td').map(textOf)),
            hasSum: table.classList.contains('sum'),
          };
    };
    const heroOf = (card: Element): ShownCard['hero'] => {
      const [hero, cost] = [card.querySelector('.hero > div'), card.querySelector('.hero .cost')];
      if (hero === null) return null;
      const [name = '', ...notes] = all(hero, 'small').map(textOf);
      return {
        name,
        notes,
        text: textOf(hero.querySelector('.big')),
        cost:
          cost === null
            ? null
            : { text: textOf(cost.querySelector('b')), notes: all(cost, 'small').slice(1).map(textOf) },
      };
    };
    const sharesOf = (card: Element): ShownCard['shares'] => {
      const rows = all(card, '.shares li').map((row) => ({
        name: textOf(row.querySelector('span')),
        text: textOf(row.querySelector('b')),
        isSum: row.matches('.sum'),
      }));
      return rows.length === 0
        ? null
        : { list: rows.filter(({ isSum }) => !isSum), sum: rows.find(({ isSum }) => isSum) ?? null };
    };
    return [...document.querySelectorAll('.cemm-page section')].map((card) => ({
      title: textOf(card.querySelector('h2')),
      note: textOf(card.querySelector('h2 small')),
      aside: textOf(card.querySelector('.aside')),
      hero: heroOf(card),
      when: card.querySelector('.when') === null ? null : { isChosen: card.querySelector('.when .icon') !== null },
      shares: sharesOf(card),
      sentence: textOf(card.querySelector('.sentence')),
      flow: flowOf(card),
      tiles: all(card, 'dl > div').map((tile) => ({
        name: textOf(tile.querySelector('dt')),
        text: textOf(tile.querySelector('strong')),
        notes: all(tile, 'small').map(textOf),
      })),
      chart: chartOf(card),
      table: tableOf(card),
    }));
  });
}
