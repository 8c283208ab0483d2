/**
 * One picture of a page on all devices, in light and dark: docs/images/<name>-screens.webp, composed of the screenshots of its
 * test. It is made only with CEMM_UPDATE_PICTURES=1, and needs the program `cwebp` (Debian: apt-get install webp).
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Browser } from './browser';
import { projectDir } from '../node-red/installed-package';
import { updatesPictures } from './moving-picture';
import { devices } from './page-checks';

const heightOfARow = 620;

export async function putScreensTogether(name: string): Promise<void> {
  if (!updatesPictures) return;
  const results = join(projectDir, 'test-results');
  const rows = await Promise.all(
    ['light', 'dark'].map(async (scheme) => {
      const screens = await Promise.all(
        Object.keys(devices).map((device) => readFile(join(results, `${name}-${device}-${scheme}.png`), 'base64')),
      );
      return screens.map((screen) => `<img src="data:image/png;base64,${screen}" height="${heightOfARow}">`).join('');
    }),
  );
  const browser = await Browser.open({ width: 1800, height: 1300 });
  const sheet = join(results, `${name}-screens.png`);
  try {
    const style = 'display: inline-flex; flex-direction: column; gap: 16px; padding: 16px; background: #8a94a0';
    const row = (images: string): string => `<div style="display: flex; gap: 16px">${images}</div>`;
    await browser.page.setContent(`<body style="margin: 0"><main style="${style}">${rows.map(row).join('')}</main>`);
    await browser.page.locator('main').screenshot({ path: sheet });
  } finally {
    await browser.close();
  }
  const target = join(projectDir, 'docs/images', `${name}-screens.webp`);
  await promisify(execFile)('cwebp', ['-quiet', '-q', '82', sheet, '-o', target]);
}
