import { fireSafetyAnswers, firstAidAnswers } from '@registrar/sample-courses';
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core';

type Answers = Readonly<Record<string, string>>;

/** Plays `first-aid-basics` at a launch URL: reads the pages, answers the quiz and finishes. */
export async function playFirstAid(browser: Browser, launchUrl: string): Promise<void> {
  await inNewWindow(browser, launchUrl, async (page) => {
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/exit')),
      playSco(page.mainFrame(), 'First aid basics', firstAidAnswers),
    ]);
  });
}

/**
 * Plays both SCOs of `fire-safety` in the frame of a page that embeds the course, then exits the course.
 *
 * @returns the addresses that the frame and the page around it show after the exit
 */
export async function playEmbeddedFireSafety(
  browser: Browser,
  embeddingUrl: string,
): Promise<{ frame: string; page: string }> {
  return inNewWindow(browser, embeddingUrl, async (page) => {
    const element = await page.locator('iframe[title="Course"]').elementHandle();
    const player = await element?.contentFrame();
    if (!player) throw new Error('the page has no frame with a course');
    await playSco(player, 'Preventing fire', fireSafetyAnswers.prevention);
    const second = 'When the alarm sounds';
    const contents = player.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('button', { name: second }).click();
    await playSco(player, second, fireSafetyAnswers.evacuation);
    const before = player.url();
    await player.getByRole('button', { name: 'Exit' }).click();
    await player.waitForURL((url) => url.href !== before, { waitUntil: 'commit' });
    return { frame: player.url(), page: page.url() };
  });
}

async function inNewWindow<Result>(
  browser: Browser,
  url: string,
  play: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await play(page);
  } finally {
    await context.close();
  }
}

/** Plays the SCO with a title until the player has saved its final report. */
async function playSco(player: Frame, title: string, answers: Answers): Promise<void> {
  const sco = player.frameLocator(`iframe[title="${title}"]`);
  await readToQuiz(sco);
  for (const [question, value] of Object.entries(answers)) {
    await sco.locator(`input[name="${question}"][value="${value}"]`).check();
  }
  await sco.getByTestId('submit').click();
  await Promise.all([
    player
      .page()
      .waitForResponse(
        (response) =>
          response.url().endsWith('/reports') &&
          (response.request().postDataJSON() as { ended: boolean }).ended,
      ),
    sco.getByTestId('finish').click(),
  ]);
}

async function readToQuiz(sco: FrameLocator): Promise<void> {
  // The course's script sets the progress; without the script, the button does nothing.
  await sco.locator('progress:not([value="0"])').waitFor();
  while (await sco.getByTestId('next').isVisible()) await sco.getByTestId('next').click();
}
