import { choiceSetting, flagSetting, numberSetting, type Setting } from './setting.ts';

/** Where the player opens. */
export const launchTypes = [
  'FRAMESET',
  'NEW_WINDOW',
  'NEW_WINDOW_AFTER_CLICK',
  'NEW_WINDOW_WITHOUT_BROWSER_TOOLBAR',
  'NEW_WINDOW_AFTER_CLICK_WITHOUT_BROWSER_TOOLBAR',
] as const;

/** How learners leave a sequenced course. */
export const returnActions = ['SELECTABLE', 'SUSPEND_ALL', 'EXIT_ALL'] as const;

const maxPixels = 10_000;

/** How the player shows a course, and how often it reports. */
export const playerSettings = {
  PlayerShowCourseStructure: flagSetting(
    'Whether the player shows the table of contents of a course with several parts.',
    true,
  ),
  PlayerLaunchType: choiceSetting(
    'Where the player opens: in the window of the launch link, or in a new one, at once or when the learner clicks.',
    launchTypes,
  ),
  PlayerScoLaunchType: choiceSetting('Content opens in a frame of the player.', ['FRAMESET']),
  PlayerDesiredWidth: numberSetting(
    'The width of a new window without a toolbar, in pixels. 0: as the browser chooses.',
    [0, maxPixels],
  ),
  PlayerDesiredHeight: numberSetting(
    'The height of a new window without a toolbar, in pixels. 0: as the browser chooses.',
    [0, maxPixels],
  ),
  PlayerReturnToLmsAction: choiceSetting(
    'How learners leave a sequenced course: to resume it later, for good, or as they choose.',
    returnActions,
  ),
  PlayerCommCommitFrequency: numberSetting(
    'The time between two reports of the player, in milliseconds. What content sets or commits meanwhile waits.',
    [500, 60_000],
  ),
} satisfies Record<string, Setting>;
