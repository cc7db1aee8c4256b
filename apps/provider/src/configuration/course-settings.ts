import type { StatusRules } from '../results/result.ts';
import type { RollupRules } from '../results/rollup.ts';
import { percent } from '../results/sco-result.ts';
import { exitActionId, exitActions, type ContentExit, type ExitAction } from './exit-actions.ts';
import { launchTypes, returnActions } from './player-settings.ts';
import { failedCompletions, scoreRollupModes, statusRollupModes } from './result-settings.ts';
import { type Configuration, type SettingId, settings } from './settings.ts';

/** The settings of a course window, as its player and the roll-up of results obey them. */
export type CourseSettings = ReturnType<typeof courseSettings>;

/** @param configuration the one that holds for the window: `effectiveConfiguration` */
export function courseSettings(configuration: Configuration) {
  const valueOf = (id: SettingId) => configuration[id] ?? settings[id].default;
  const isSet = (id: SettingId) => valueOf(id) === 'true';
  const numberOf = (id: SettingId) => Number(valueOf(id));
  /** A value that only another version knows counts as the default, the first one. */
  const choiceOf = <Value extends string>(id: SettingId, values: readonly [Value, ...Value[]]) =>
    values.find((value) => value === valueOf(id)) ?? values[0];
  return {
    showsContents: isSet('PlayerShowCourseStructure'),
    launch: {
      type: choiceOf('PlayerLaunchType', launchTypes),
      width: numberOf('PlayerDesiredWidth'),
      height: numberOf('PlayerDesiredHeight'),
    },
    returnAction: choiceOf('PlayerReturnToLmsAction', returnActions),
    reportIntervalMs: numberOf('PlayerCommCommitFrequency'),
    scoreOverridesStatus: isSet('PlayerScoreOverridesStatus'),
    statusRules: {
      failedCompletion: choiceOf('PlayerCompletionStatOfFailedSuccessStat', failedCompletions),
      passedIsCompleted: isSet('PlayerSatisfiedCausesCompletion'),
    } satisfies StatusRules,
    rollup: {
      statusMode: choiceOf('PlayerStatusRollupModeValue', statusRollupModes),
      thresholdScore: percent(numberOf('PlayerStatusRollupModeThresholdScore')),
      completedIsPassed: isSet('PlayerApplyRollupStatusToSuccess'),
      scoreMode: choiceOf('PlayerScoreRollupModeValue', scoreRollupModes),
    } satisfies RollupRules,
    exitActionOf: (exit: ContentExit): ExitAction => choiceOf(exitActionId(exit), exitActions),
  };
}
