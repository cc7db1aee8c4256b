/** Branches of run-time data whose entries are results of their own: answers, objectives, the values of SCORM 1.2. */
const groups = ['core', 'interactions', 'objectives', 'comments_from_learner', 'adl.data'];
/** Values that the player and the content set by themselves. */
const incidental = /^(?:core\.)?(?:entry|exit|session_time|total_time)$/;

/**
 * Lists the results in run-time data: the status, the score, each answer and so on.
 *
 * @param {Record<string, unknown>} runtime
 * @returns {Map<string, string>} each as a text that tells whether it has changed, by its name
 */
export function resultsIn(runtime) {
  const results = Object.entries(runtime).flatMap(([branch, value]) =>
    groups.includes(branch)
      ? Object.entries(value ?? {}).map(([name, inner]) => [`${branch}.${name}`, inner])
      : [[branch, value]],
  );
  return new Map(
    results
      .filter(([name]) => !incidental.test(name))
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );
}
