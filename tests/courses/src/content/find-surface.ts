import type { FrameLocator, Page } from 'playwright-core';
import type { CourseWindow } from '../course-window.ts';

/** Where content shows what the learner uses: a frame, or a window that it has opened. */
export interface Surface {
  readonly root: FrameLocator | Page;
  readonly popup: Page | null;
}

/** The place of a window in the list of frames: the button Launch there opens it. */
export const popup = 'popup';

/**
 * Follows frames from that of a part to the inner one, and through windows that content opens.
 *
 * @param frames the titles of frames, and {@link popup}
 */
export async function findSurface(
  window: CourseWindow,
  part: string,
  frames: readonly string[],
): Promise<Surface> {
  let surface: Surface = { root: window.part(part), popup: null };
  for (const frame of frames) {
    if (frame === popup) {
      const opened = window.popup();
      await surface.root.getByRole('button', { name: 'Launch' }).click();
      const page = await opened;
      surface = { root: page, popup: page };
    } else {
      surface = { ...surface, root: surface.root.frameLocator(`iframe[title="${frame}"]`) };
    }
  }
  return surface;
}
