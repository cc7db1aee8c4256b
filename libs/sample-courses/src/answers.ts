/**
 * The right answers of the samples' quizzes: the `value` to choose in the question of each name.
 * For suites that play the courses as a learner would.
 */
export const firstAidAnswers = {
  'first-step': 'safe',
  'breathing-check': 'ten-seconds',
  'compression-rate': 'hundred-to-hundred-twenty',
  burn: 'running-water',
  'object-in-wound': 'leave',
} as const;

/** By SCO, in the order of the table of contents. */
export const fireSafetyAnswers = {
  prevention: { 'fire-triangle': 'oxygen', chargers: 'unplug' },
  evacuation: { 'first-action': 'raise-alarm', lift: 'stairs', 'going-back': 'never' },
} as const;
