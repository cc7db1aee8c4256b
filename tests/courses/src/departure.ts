import { eventually } from '@registrar/testing';
import type { Page } from 'playwright-core';
import type { CourseWindow } from './course-window.ts';
import type { Installation } from './installation.ts';

/** How a learner leaves a course, or how its content does. */
export type Departure =
  /** Presses Exit in the player. */
  | 'presses Exit'
  /** Closes the tab. */
  | 'closes the tab'
  /** The content ends its session, and the player takes the learner back. */
  | 'ends by itself'
  /** The content ends its session and closes the window of the course. */
  | 'closes its window'
  /** The learner closes the window that the content has opened. */
  | 'closes the popup';

/** Where a departure leads to: back to the client's page, or nowhere. */
export const destinationOf = (departure: Departure): 'back' | 'closed' =>
  departure === 'closes the tab' || departure === 'closes its window' ? 'closed' : 'back';

/**
 * Leaves a course.
 *
 * @param popup the window that the content has opened
 * @returns where that has led to
 */
export async function leave(
  window: CourseWindow,
  departure: Departure,
  popup: Page | null,
): Promise<'back' | 'closed'> {
  switch (departure) {
    case 'closes the tab':
      await window.closeTab();
      return 'closed';
    case 'closes its window':
      await window.waitUntilClosed();
      return 'closed';
    case 'closes the popup':
      await popup?.close({ runBeforeUnload: true });
      break;
    case 'presses Exit':
      await window.press('Exit');
      break;
    case 'ends by itself':
      break;
  }
  await window.waitUntilBack();
  return 'back';
}

/** Waits until the window's last report has arrived: the browser may send it after the window has closed. */
export const waitForLastReport = (installation: Installation, registration: string) =>
  eventually('the last report of the window arrives', () => installation.hasLeft(registration), {
    timeoutMs: 30_000,
  });
