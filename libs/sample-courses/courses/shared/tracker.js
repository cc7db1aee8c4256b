/**
 * How a course reports to the player that runs it, whatever the standard.
 *
 * @typedef {object} Tracker
 * @property {() => object | null} resume the state that was saved last, or null
 * @property {(saved: { location: string, progress: number, state: object }) => void} saveProgress
 * @property {(answer: { id: string, text: string, chosen: string, correct: string, right: boolean }) => void} recordAnswer
 * @property {(result: { score: number, passed: boolean }) => void} saveResult score from 0 to 100
 * @property {(how: { finished: boolean }) => void} leave ends the session; later calls do nothing
 */

/** The player's API object: in a window around this one, or around the one that opened it. */
export function findApi(name) {
  const around = (start) => {
    let current = start;
    for (let level = 0; current && level < 10; level += 1) {
      if (current[name]) return current[name];
      if (current === current.parent) return null;
      current = current.parent;
    }
    return null;
  };
  return around(window) ?? (window.opener ? around(window.opener) : null);
}

/** A state that was saved as text, or null when there is none. */
export function readState(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** The tracker of a course that was opened without a player: it keeps nothing. */
export const untracked = {
  resume: () => null,
  saveProgress: () => undefined,
  recordAnswer: () => undefined,
  saveResult: () => undefined,
  leave: () => undefined,
};
