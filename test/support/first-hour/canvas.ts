/** What is drawn on the canvas of a chart: its pixels, whatever the page says about them. */
import type { Page } from 'playwright-core';

export interface Drawn {
  readonly width: number;
  /** Columns of pixels with colour in them, below the legend. */
  readonly columns: number;
  /** Stretches of such columns with none in between: bars. */
  readonly stretches: number;
  /** Rows between the highest and the lowest coloured pixel: 1 is a flat line. */
  readonly height: number;
}

const nothing: Drawn = { width: 0, columns: 0, stretches: 0, height: 0 };

/** Axes and letters are grey. The legend stands in the upper quarter. */
export async function drawn(page: Page): Promise<Drawn> {
  const found = await page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context || canvas.width === 0) return null;
    const top = Math.round(canvas.height / 4);
    const { data, width, height } = context.getImageData(0, top, canvas.width, canvas.height - top);
    let [columns, stretches, highest, lowest] = [0, 0, height, 0];
    let isBefore = false;
    for (let x = 0; x < width; x += 1) {
      let isColoured = false;
      for (let y = 0; y < height; y += 1) {
        const at = (y * width + x) * 4;
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4);
        if (alpha === 0 || Math.max(red, green, blue) - Math.min(red, green, blue) <= 60) continue;
        isColoured = true;
        highest = Math.min(highest, y);
        lowest = Math.max(lowest, y);
      }
      if (isColoured) columns += 1;
      if (isColoured && !isBefore) stretches += 1;
      isBefore = isColoured;
    }
    return { width, columns, stretches, height: Math.max(0, lowest - highest + 1) };
  });
  return found ?? nothing;
}

/** A line over most of the page's width that goes up and down. */
export async function hasCurve(page: Page): Promise<boolean> {
  const { width, columns, height } = await drawn(page);
  return columns > width / 2 && height > 20;
}
