import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2, levels A and AA, and those that axe-core recommends. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the violations that axe-core finds in a page, as texts, without those of the course in its frame.
 * The heading of the first level is checked too: axe-core accepts one in a frame.
 */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { runOnly: { type: 'tag', values: tags }, iframes: false };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  const headings = await page.getByRole('heading', { level: 1 }).count();
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
  ];
}
