import { findApi, readState, untracked } from './tracker.js';

const timespan = (milliseconds) => {
  const seconds = Math.floor(milliseconds / 1000);
  const part = (value) => String(value).padStart(2, '0');
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map(part)
    .join(':');
};

/**
 * Reports to a SCORM 1.2 player.
 *
 * @returns {import('./tracker.js').Tracker}
 */
export function connectScorm12() {
  const api = findApi('API');
  if (!api || api.LMSInitialize('') !== 'true') return untracked;
  const set = (element, value) => api.LMSSetValue(`cmi.${element}`, String(value));
  const get = (element) => api.LMSGetValue(`cmi.${element}`);
  const began = Date.now();
  let left = false;
  let question = Number(get('interactions._count')) || 0;
  if (get('core.lesson_status') === 'not attempted') set('core.lesson_status', 'incomplete');

  return {
    resume: () => readState(get('suspend_data')),
    saveProgress: ({ location, state }) => {
      set('core.lesson_location', location);
      set('suspend_data', JSON.stringify(state));
      set('core.exit', 'suspend');
      api.LMSCommit('');
    },
    recordAnswer: ({ id, chosen, correct, right }) => {
      const interaction = `interactions.${question}`;
      question += 1;
      set(`${interaction}.id`, id);
      set(`${interaction}.type`, 'choice');
      set(`${interaction}.time`, new Date().toTimeString().slice(0, 8));
      set(`${interaction}.correct_responses.0.pattern`, correct);
      set(`${interaction}.student_response`, chosen);
      set(`${interaction}.result`, right ? 'correct' : 'wrong');
    },
    saveResult: ({ score, passed }) => {
      set('core.score.min', 0);
      set('core.score.max', 100);
      set('core.score.raw', score);
      set('core.lesson_status', passed ? 'passed' : 'failed');
    },
    leave: ({ finished }) => {
      if (left) return;
      left = true;
      set('core.session_time', timespan(Date.now() - began));
      set('core.exit', finished ? '' : 'suspend');
      api.LMSFinish('');
    },
  };
}
