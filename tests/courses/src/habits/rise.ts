import { page } from '../content/course-package.ts';
import { standards } from '../standards.ts';
import type { Habit } from './habit.ts';

/**
 * Rise 360: a driver in the page that the manifest launches holds the API and starts the session before its frame with
 * the lessons loads. Each lesson stores the location and a list of numbers, and commits. The session ends when the page
 * unloads, suspended even after the course was passed.
 */
export const rise: Habit = {
  name: 'Rise',
  standards,
  files: (standard) => ({
    'index.html': page(
      standard,
      `
      const lms = connect(window);
      lms.start();
      if (isNew(lms)) setStatus(lms, 'incomplete', 'unknown');
      resume(lms);
      const store = () => {
        const progress = JSON.stringify({ v: 2, d: Array.from({ length: 600 * slide }, (_, at) => 32 + (at * 7) % 224), cpv: 'x1' });
        kept = { location: 'index.html#/lessons/L-' + slide, suspendData: progress };
        lms.set(el.location, kept.location);
        lms.set('cmi.suspend_data', kept.suspendData);
        lms.commit();
      };
      let hasEnded = false;
      window.addEventListener('unload', () => {
        if (hasEnded) return;
        hasEnded = true;
        lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'PT1M30.5S');
        lms.set(el.exit, 'suspend');
        lms.commit();
        lms.end();
      });
      window.driver = {
        store: (at) => { slide = at; store(); },
        pass: () => { setScore(lms, 80, 100); setStatus(lms, 'completed', 'passed'); lms.commit(); },
        start: () => slide,
      };
      document.body.innerHTML = '<iframe title="Content" src="content/index.html"></iframe>';
      `,
    ),
    'content/index.html': page(
      standard,
      `
      slide = parent.driver.start();
      showSlides(() => parent.driver.store(slide), () => {
        parent.driver.pass();
        document.body.innerHTML = '<p>You can close this window.</p>';
      });
      `,
    ),
  }),
  slides: 'in a part',
  frames: ['Content'],
  departures: { middle: 'closes the tab', end: 'closes the tab' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:03:01.00',
    'on a second device': '0000:01:30.50',
  },
};
