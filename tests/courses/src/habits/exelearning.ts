import { page } from '../content/course-package.ts';
import type { Habit } from './habit.ts';

/**
 * eXeLearning: each page of the course is a SCO of its own, which the contents of the player open. A page starts its
 * session when it has loaded, and when it unloads it is completed, reports its time, commits and ends.
 */
export const exelearning: Habit = {
  name: 'eXeLearning',
  standards: ['1.2', '2004 4th Edition'],
  files: (standard) =>
    Object.fromEntries(
      [1, 2, 3].map((number) => [
        `page-${number}.html`,
        page(
          standard,
          `
          let hasEnded = false;
          let lms;
          window.onload = () => {
            lms = connect(window);
            lms.start();
            resume(lms);
            slide = ${number};
            if (isNew(lms)) setStatus(lms, 'incomplete', 'unknown');
          };
          window.onunload = window.onbeforeunload = () => {
            if (hasEnded) return;
            hasEnded = true;
            if (${number} === 3) setScore(lms, 80, 100);
            setStatus(lms, 'completed', ${number} === 3 ? 'passed' : 'unknown');
            lms.set(el.exit, isOld ? '' : 'normal');
            lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'PT1M30.5S');
            lms.commit();
            lms.end();
          };
          `,
          `<h1>Slide ${number}</h1>`,
        ),
      ]),
    ),
  parts: [1, 2, 3].map((number) => ({ title: `Page ${number}`, href: `page-${number}.html` })),
  slides: 'parts',
  departures: { middle: 'presses Exit', end: 'presses Exit' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:01:30.50',
    'on a second device': '0000:01:30.50',
  },
};
