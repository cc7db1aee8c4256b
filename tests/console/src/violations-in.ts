import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2, levels A and AA, and those that axe-core recommends. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the violations that axe-core finds in a page, as texts, when its animations have ended. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
  await page.evaluate(axe.source);
  const options = { runOnly: { type: 'tag', values: tags } };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}
