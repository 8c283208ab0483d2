/** What the page of the house shows. */
import type { Page } from 'playwright-core';

/** True once a power is there. */
export async function showsHouse(page: Page): Promise<boolean> {
  const texts = await page.locator('.cemm-page').allInnerTexts();
  return texts.some((text) => /\d\s?k?W\b/.test(text));
}
