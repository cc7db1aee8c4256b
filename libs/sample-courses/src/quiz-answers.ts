/**
 * Correct answers of the sample quizzes: for each question's name, the `value` to choose. For
 * suites that play the courses as a learner.
 */
export const firstAidAnswers = {
  'first-step': 'safe',
  'breathing-check': 'ten-seconds',
  'compression-rate': 'hundred-to-hundred-twenty',
  burn: 'running-water',
  'object-in-wound': 'leave',
} as const;

/** Correct answers by SCO, in the order of the table of contents. */
export const fireSafetyAnswers = {
  prevention: { 'fire-triangle': 'oxygen', chargers: 'unplug' },
  evacuation: { 'first-action': 'raise-alarm', lift: 'stairs', 'going-back': 'never' },
} as const;
