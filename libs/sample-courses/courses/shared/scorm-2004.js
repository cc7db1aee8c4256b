import { findApi, readState, untracked } from './tracker.js';

/**
 * Reports to a SCORM 2004 player.
 *
 * @returns {import('./tracker.js').Tracker}
 */
export function connectScorm2004() {
  const api = findApi('API_1484_11');
  if (!api || api.Initialize('') !== 'true') return untracked;
  const set = (element, value) => api.SetValue(`cmi.${element}`, String(value));
  const get = (element) => api.GetValue(`cmi.${element}`);
  const began = Date.now();
  let left = false;
  let question = Number(get('interactions._count')) || 0;
  if (get('completion_status') !== 'completed') set('completion_status', 'incomplete');

  return {
    resume: () => readState(get('suspend_data')),
    saveProgress: ({ location, progress, state }) => {
      set('location', location);
      set('progress_measure', progress.toFixed(2));
      set('suspend_data', JSON.stringify(state));
      set('exit', 'suspend');
      api.Commit('');
    },
    recordAnswer: ({ id, text, chosen, correct, right }) => {
      const interaction = `interactions.${question}`;
      question += 1;
      set(`${interaction}.id`, id);
      set(`${interaction}.type`, 'choice');
      set(`${interaction}.description`, text);
      set(`${interaction}.timestamp`, new Date().toISOString().slice(0, 19));
      set(`${interaction}.correct_responses.0.pattern`, correct);
      set(`${interaction}.learner_response`, chosen);
      set(`${interaction}.result`, right ? 'correct' : 'incorrect');
    },
    saveResult: ({ score, passed }) => {
      set('score.min', 0);
      set('score.max', 100);
      set('score.raw', score);
      set('score.scaled', score / 100);
      set('success_status', passed ? 'passed' : 'failed');
      set('completion_status', 'completed');
    },
    leave: ({ finished }) => {
      if (left) return;
      left = true;
      set('session_time', `PT${Math.floor((Date.now() - began) / 1000)}S`);
      set('exit', finished ? 'normal' : 'suspend');
      api.Terminate('');
    },
  };
}
