import { page } from '../content/course-package.ts';
import { standards } from '../standards.ts';
import type { Habit } from './habit.ts';

/**
 * Captivate: starts its session some time after the page has loaded, reports score and status on every slide, the score
 * first, and stores variables with percent signs. It ends its session in `beforeunload` and tries again in `unload`,
 * without looking at the result, and commits once more after that.
 */
export const captivate: Habit = {
  name: 'Captivate',
  standards,
  files: (standard) => ({
    'index.html': page(
      standard,
      `
      const begin = () => {
        const lms = connect(window);
        lms.start();
        resume(lms);
        const report = (raw, completion, success) => {
          setScore(lms, raw, 100);
          setStatus(lms, completion, success);
          kept = {
            location: 'Slide' + slide,
            suspendData: 'A1Enone%24nP000000AA' + '%7C%3A\\t'.repeat(100 * slide) + '%u00e9$$' + slide + '%',
          };
          lms.set(el.location, kept.location);
          lms.set('cmi.suspend_data', kept.suspendData);
          lms.set(el.sessionTime, isOld ? '00:01:30.5' : 'PT0H1M30.5S');
          lms.set(el.exit, 'suspend');
          lms.commit();
        };
        report(10 * slide, 'incomplete', 'unknown');
        window.addEventListener('beforeunload', () => lms.careless('end', ''));
        window.addEventListener('unload', () => {
          lms.careless('end', '');
          lms.careless('commit', '');
        });
        showSlides(() => report(10 * slide, 'incomplete', 'unknown'), () => {
          report(80, 'completed', 'passed');
          document.body.innerHTML = '<p>Results</p>';
        });
      };
      window.addEventListener('load', () => setTimeout(begin, 500));
      `,
    ),
  }),
  slides: 'in a part',
  departures: { middle: 'closes the tab', end: 'presses Exit' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:03:01.00',
    'on a second device': '0000:03:01.00',
  },
};
