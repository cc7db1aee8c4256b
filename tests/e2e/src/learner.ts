import { fireSafetyAnswers, firstAidAnswers } from '@registrar/sample-courses';
import type { Browser, FrameLocator, Page } from 'playwright-core';

type Answers = Readonly<Record<string, string>>;

/** Plays `first-aid-basics` at a launch URL: reads the pages, answers the quiz and finishes. */
export async function playFirstAid(browser: Browser, launchUrl: string): Promise<void> {
  await inNewWindow(browser, launchUrl, async (page) => {
    const left = page.waitForResponse((response) => response.url().endsWith('/exit'));
    await playSco(page, 'First aid basics', firstAidAnswers);
    await left;
  });
}

/** Plays both SCOs of `fire-safety` at a launch URL, then exits the course. */
export async function playFireSafety(browser: Browser, launchUrl: string): Promise<void> {
  await inNewWindow(browser, launchUrl, async (page) => {
    await playSco(page, 'Preventing fire', fireSafetyAnswers.prevention);
    const second = 'When the alarm sounds';
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('button', { name: second }).click();
    await playSco(page, second, fireSafetyAnswers.evacuation);
    const player = page.url();
    await page.getByRole('button', { name: 'Exit' }).click();
    await page.waitForURL((url) => url.href !== player, { waitUntil: 'commit' });
  });
}

async function inNewWindow(
  browser: Browser,
  url: string,
  play: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    await play(page);
  } finally {
    await context.close();
  }
}

/** Plays the SCO with a title until the player has saved its final report. */
async function playSco(page: Page, title: string, answers: Answers): Promise<void> {
  const sco = page.frameLocator(`iframe[title="${title}"]`);
  await readToQuiz(sco);
  for (const [question, value] of Object.entries(answers)) {
    await sco.locator(`input[name="${question}"][value="${value}"]`).check();
  }
  await sco.getByTestId('submit').click();
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/reports') &&
      (response.request().postDataJSON() as { ended: boolean }).ended,
  );
  await sco.getByTestId('finish').click();
  await saved;
}

async function readToQuiz(sco: FrameLocator): Promise<void> {
  await sco.getByTestId('next').waitFor();
  while (await sco.getByTestId('next').isVisible()) await sco.getByTestId('next').click();
}
