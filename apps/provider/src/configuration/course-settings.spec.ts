import { describe, expect, it } from 'vitest';
import { courseSettings } from './course-settings.ts';
import { exitActionId, exitActionSettings } from './exit-actions.ts';

describe('courseSettings', () => {
  it('a course without settings has their defaults', () => {
    const { exitActionOf, ...settings } = courseSettings({});
    expect(settings).toEqual({
      showsContents: true,
      launch: { type: 'FRAMESET', width: 0, height: 0 },
      returnAction: 'SELECTABLE',
      reportIntervalMs: 500,
      scoreOverridesStatus: false,
      statusRules: { failedCompletion: 'UNKNOWN', passedIsCompleted: false },
      rollup: {
        statusMode: 'COMPLETE_WHEN_ALL_UNITS_COMPLETE',
        thresholdScore: 100,
        completedIsPassed: false,
        scoreMode: 'AVERAGE_SCORE_OF_ALL_UNITS_WITH_SCORES',
      },
    });
    expect(exitActionOf({ isFinal: true, isSatisfied: true, exit: '' })).toBe('UNDEFINED');
  });

  it('a threshold is compared with scores exactly', () => {
    const configuration = { PlayerStatusRollupModeThresholdScore: '0.07' };
    expect(courseSettings(configuration).rollup.thresholdScore).toBe(7);
  });

  it('a stored value that this version does not know counts as the default', () => {
    const configuration = { PlayerReturnToLmsAction: 'LEGACY' };
    expect(courseSettings(configuration).returnAction).toBe('SELECTABLE');
  });

  it('every way in which content ends has a setting of its own', () => {
    const ids = [true, false].flatMap((isFinal) =>
      [true, false].flatMap((isSatisfied) =>
        ['', 'suspend', 'logout', 'time-out'].map((exit) =>
          exitActionId({ isFinal, isSatisfied, exit }),
        ),
      ),
    );
    expect(ids.toSorted()).toEqual(Object.keys(exitActionSettings).toSorted());
  });
});
