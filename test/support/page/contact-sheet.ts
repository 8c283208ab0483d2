/** Contact sheets: many pictures in one, each with its title. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

export interface Tile {
  readonly title: string;
  /** PNG. */
  readonly file: string;
}

const styleOfSheet = `
  body { margin: 0; font: 13px sans-serif }
  main { display: inline-flex; flex-wrap: wrap; align-items: flex-start; gap: 12px; padding: 12px; background: #8a94a0 }
  figure { margin: 0 }
  figcaption { padding: 3px 0; color: #000 }
  img { display: block }`;

/**
 * @param width of a picture on the sheet, in pixels
 * @param columns pictures beside each other
 */
export async function composeSheet(
  page: Page,
  tiles: readonly Tile[],
  { file, width, columns }: { readonly file: string; readonly width: number; readonly columns: number },
): Promise<void> {
  const figures = await Promise.all(
    tiles.map(async (tile) => {
      const picture = await readFile(tile.file, 'base64');
      return `<figure><figcaption>${tile.title}</figcaption><img src="data:image/png;base64,${picture}" width="${width}"></figure>`;
    }),
  );
  await page.setViewportSize({ width: columns * (width + 12) + 12, height: 800 });
  await page.setContent(`<style>${styleOfSheet}</style><main>${figures.join('')}</main>`);
  await page.locator('main').screenshot({ path: file });
}
