/** Reads the pixels on the canvas of a chart, independent of the page's own data. */
import type { Page } from 'playwright-core';

interface Curve {
  /** Number of pixel columns with its colour. */
  readonly columns: number;
  /** Rows between its highest and its lowest pixel: 1 is a flat line. */
  readonly height: number;
}

interface Drawing {
  readonly width: number;
  /** One per hue. */
  readonly curves: readonly Curve[];
}

/** Axes and letters are grey, and a line keeps its hue where it fades into white. The legend is in the upper quarter. */
async function drawing(page: Page): Promise<Drawing> {
  const found = await page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context || canvas.width === 0) return null;
    const top = Math.round(canvas.height / 4);
    const { data, width, height } = context.getImageData(0, top, canvas.width, canvas.height - top);
    const hues = new Map<number, { columns: Set<number>; highest: number; lowest: number }>();
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      if (data[at + 3] === 0 || most - least <= 60) continue;
      const turn =
        most === red
          ? (green - blue) / (most - least)
          : most === green
            ? 2 + (blue - red) / (most - least)
            : 4 + (red - green) / (most - least);
      const hue = Math.floor((turn + 6) % 6);
      const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
      const seen = hues.get(hue) ?? { columns: new Set(), highest: height, lowest: 0 };
      seen.columns.add(x);
      hues.set(hue, { columns: seen.columns, highest: Math.min(seen.highest, y), lowest: Math.max(seen.lowest, y) });
    }
    const curves = [...hues.values()].map(({ columns, highest, lowest }) => ({
      columns: columns.size,
      height: lowest - highest + 1,
    }));
    return { width, curves };
  });
  return found ?? { width: 0, curves: [] };
}

/** True for this number of lines, each over most of the width, and none of them flat. */
export async function hasCurves(page: Page, count: number): Promise<boolean> {
  const { width, curves } = await drawing(page);
  return curves.filter(({ columns, height }) => columns > width / 2 && height > 20).length >= count;
}
