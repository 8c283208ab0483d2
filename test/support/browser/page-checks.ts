/** Shared by the tests of example pages: the devices, and the axe check of a page. */
import 'should';
import type { Page } from 'playwright-core';

export const devices = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;

interface AxeWindow {
  axe: {
    run(selector: string): Promise<{
      passes: unknown[];
      violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
    }>;
  };
}

/** Serious and critical findings in a part of the page, one line each. axe is already loaded in the page. */
export async function findings(page: Page, selector: string): Promise<string[]> {
  const { passes, lines } = await page.evaluate(async (part) => {
    const { axe } = window as unknown as AxeWindow;
    // A colour in transition has the contrast of neither its start nor its end.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    const result = await axe.run(part);
    const grave = result.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const lines = grave.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
    return { passes: result.passes.length, lines };
  }, selector);
  passes.should.be.above(5);
  return lines;
}
