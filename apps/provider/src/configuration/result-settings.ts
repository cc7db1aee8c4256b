import * as z from 'zod';
import { choiceSetting, flagSetting, type Setting } from './setting.ts';

/** The completion of content that is failed. */
export const failedCompletions = ['UNKNOWN', 'COMPLETED', 'INCOMPLETE'] as const;

/** When a course without sequencing is completed. */
export const statusRollupModes = [
  'COMPLETE_WHEN_ALL_UNITS_COMPLETE',
  'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_NOT_FAILED',
  'COMPLETE_WHEN_ALL_UNITS_ARE_PASSED',
  'COMPLETE_WHEN_THRESHOLD_SCORE_IS_MET',
  'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_THRESHOLD_SCORE_IS_MET',
] as const;

/** How scores of parts become the score of a course without sequencing. */
export const scoreRollupModes = [
  'AVERAGE_SCORE_OF_ALL_UNITS_WITH_SCORES',
  'AVERAGE_SCORE_OF_ALL_UNITS_WITH_NONZERO_SCORES',
  'AVERAGE_SCORE_OF_ALL_UNITS',
  'LAST_SCO_SCORE',
] as const;

/** How results of content become the results of parts and of the course. */
export const resultSettings = {
  PlayerScoreOverridesStatus: flagSetting(
    'Whether the score decides about the status of SCORM 1.2 content that has a mastery score, whatever status it reports.',
    false,
  ),
  PlayerCompletionStatOfFailedSuccessStat: choiceSetting(
    'The completion of content that is failed. UNKNOWN: as it reports.',
    failedCompletions,
  ),
  PlayerSatisfiedCausesCompletion: flagSetting(
    'Whether content that is passed is completed too.',
    false,
  ),
  PlayerStatusRollupModeValue: choiceSetting(
    'When a course without sequencing is completed.',
    statusRollupModes,
  ),
  PlayerStatusRollupModeThresholdScore: {
    default: '1',
    dataType: 'decimal',
    description: 'The score from 0 to 1 that a course needs, for the modes with a threshold.',
    value: z.string().regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, {
      error: 'is not a decimal from 0 to 1 with six decimal places at most',
    }),
  },
  PlayerApplyRollupStatusToSuccess: flagSetting(
    'Whether a course without sequencing that is completed is passed too.',
    false,
  ),
  PlayerScoreRollupModeValue: choiceSetting(
    'How the scores of parts become the score of a course without sequencing.',
    scoreRollupModes,
  ),
} satisfies Record<string, Setting>;
