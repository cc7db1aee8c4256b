import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2, levels A and AA, and those that axe-core recommends. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Those of the rules whose findings depend on colors. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe-core finds in a page when its animations have ended, as texts: all in the light color
 * scheme, and those of colors in the dark one too.
 */
export async function violationsIn(page: Page): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source);
  const light = await run(page, { type: 'tag', values: tags });
  await showIn(page, 'dark');
  const dark = await run(page, { type: 'rule', values: colorRules });
  await showIn(page, 'light');
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}

async function run(page: Page, runOnly: object): Promise<string[]> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
  // Selectors of elements would take a third of the time.
  const options = { runOnly, resultTypes: ['violations'], selectors: false };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Changes the color scheme of the browser, which the console follows. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}
