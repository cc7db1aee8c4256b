import { page, plainPage } from '../content/course-package.ts';
import { standards } from '../standards.ts';
import type { Habit } from './habit.ts';

/**
 * iSpring: the player is in a frame within a frame. It asks to be resumed as soon as it starts, sets values without a
 * commit until it ends, has interactions whose ids begin with a digit or contain braces, and closes the window of the course.
 */
export const ispring: Habit = {
  name: 'iSpring',
  standards,
  files: (standard) => ({
    'index.html': plainPage('<iframe title="Content" src="res/index.html"></iframe>'),
    'res/index.html': plainPage('<iframe title="Player" src="player.html"></iframe>'),
    'res/player.html': page(
      standard,
      `
      const lms = connect(window);
      lms.start();
      resume(lms);
      lms.set(el.exit, 'suspend');
      if (isNew(lms)) setStatus(lms, 'incomplete', 'unknown');
      const store = () => {
        const bytes = Array.from({ length: 1500 * slide }, (_, at) => String.fromCharCode((at * 31 + slide) % 256)).join('');
        kept = { location: String(slide), suspendData: btoa(bytes) };
        lms.set(el.location, kept.location);
        lms.set('cmi.suspend_data', kept.suspendData);
        lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'P0Y0M0DT0H1M30.5S');
      };
      showSlides(store, () => {
        const answer = (n, id, type, response) => {
          const at = 'cmi.interactions.' + n;
          lms.set(at + '.id', id);
          lms.set(at + '.type', type);
          lms.set(at + (isOld ? '.student_response' : '.learner_response'), response);
          lms.set(at + '.result', 'correct');
        };
        answer(0, '0_4F52-' + slide, 'choice', isOld ? '1' : '1_choice');
        answer(1, '{8D6E5A1B}_' + slide, 'numeric', '42');
        setScore(lms, 8, 10);
        setStatus(lms, 'completed', 'passed');
        lms.set(el.exit, isOld ? '' : 'normal');
        lms.end();
        top.close();
      });
      `,
    ),
  }),
  slides: 'in a part',
  frames: ['Content', 'Player'],
  departures: { middle: 'presses Exit', end: 'closes its window' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:03:01.00',
    'on a second device': '0000:03:01.00',
  },
};
