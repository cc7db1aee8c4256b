import { page } from '../content/course-package.ts';
import type { Habit } from './habit.ts';

/**
 * Adapt with its Spoor extension: JSON with the learner's language as suspend data, objectives and interactions with the
 * ids of its content objects, a commit whenever the page is hidden. It ends its session in whichever event of leaving
 * comes first; the exit is `suspend` until the course is completed, and then `logout` in SCORM 1.2, `normal` in 2004.
 */
export const adapt: Habit = {
  name: 'Adapt',
  standards: ['1.2', '2004 4th Edition'],
  files: (standard) => ({
    'index.html': page(
      standard,
      `
      document.addEventListener('DOMContentLoaded', () => {
        const lms = connect(window);
        lms.start();
        resume(lms);
        if (isNew(lms)) setStatus(lms, 'incomplete', 'unknown');
        let isDone = false;
        let hasEnded = false;
        const store = () => {
          const state = { lang: 'de', title: 'Ünïcödé \\u{1F393} „Quiz“', c: 'hIAE\\\\/"'.repeat(60 * slide), _isCourseComplete: isDone };
          kept = { location: 'co-' + slide, suspendData: JSON.stringify(state) };
          lms.set('cmi.suspend_data', kept.suspendData);
          lms.set(el.location, kept.location);
          const n = slide - 1;
          lms.set('cmi.objectives.' + n + '.id', 'co-' + String(n).padStart(2, '0'));
          lms.set('cmi.objectives.' + n + (isOld ? '.status' : '.completion_status'), 'completed');
        };
        const leave = () => {
          if (hasEnded) return;
          hasEnded = true;
          lms.set(el.sessionTime, isOld ? '00:01:30.5' : 'PT90.5S');
          lms.set(el.exit, isDone ? (isOld ? 'logout' : 'normal') : 'suspend');
          lms.end();
        };
        document.addEventListener('visibilitychange', () => {
          if (document.visibilityState === 'hidden' && !hasEnded) lms.commit();
        });
        for (const event of ['beforeunload', 'pagehide', 'unload']) window.addEventListener(event, leave);
        if (slide === 1) store();
        showSlides(store, () => {
          isDone = true;
          const at = 'cmi.interactions.' + lms.get('cmi.interactions._count');
          lms.set(at + '.id', 'c-55_1');
          lms.set(at + '.type', 'choice');
          lms.set(at + (isOld ? '.student_response' : '.learner_response'), isOld ? '1' : '1[,]3');
          lms.set(at + '.result', 'correct');
          setScore(lms, 80, 100);
          setStatus(lms, 'completed', 'passed');
          lms.commit();
          document.body.innerHTML = '<p>Completed</p>';
        });
      });
      `,
    ),
  }),
  slides: 'in a part',
  departures: { middle: 'closes the tab', end: 'closes the tab' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:03:01.00',
    'on a second device': '0000:01:30.50',
  },
};
