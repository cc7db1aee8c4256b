import { page } from '../content/course-package.ts';
import { popup } from '../content/find-surface.ts';
import { standards } from '../standards.ts';
import type { Habit } from './habit.ts';

/**
 * Storyline 360, published to open in a new window: the launched page opens the story in a window of its own, which
 * finds the API by its opener. Each slide stores a compressed state in an alphabet of its own, up to the least length
 * that the standard requires; each question an interaction with its slide in the id. The story ends its session when
 * its window closes, by a button or by the learner.
 */
export const storyline: Habit = {
  name: 'Storyline',
  standards,
  files: (standard) => ({
    'index.html': page(
      standard,
      `document.body.innerHTML = '<button>Launch</button>';
       document.querySelector('button').onclick = () => window.open('story.html', 'story', 'width=900,height=700');`,
    ),
    'story.html': page(
      standard,
      `
      const lms = connect(window);
      lms.start();
      resume(lms);
      if (isNew(lms)) setStatus(lms, 'incomplete', 'unknown');
      const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$~^';
      const state = () => Array.from({ length: isOld ? 4096 : 64000 }, (_, at) => alphabet[(at * slide) % alphabet.length]).join('');
      const store = () => {
        kept = { location: 'Scene1_Slide' + slide, suspendData: state() };
        lms.set('cmi.suspend_data', kept.suspendData);
        lms.set(el.location, kept.location);
        lms.commit();
      };
      let hasEnded = false;
      const end = () => {
        if (hasEnded) return;
        hasEnded = true;
        lms.set(el.exit, 'suspend');
        lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'PT1M30.5S');
        lms.commit();
        lms.end();
      };
      window.addEventListener('beforeunload', end);
      window.addEventListener('unload', end);
      showSlides(store, () => {
        const n = lms.get('cmi.interactions._count');
        const at = 'cmi.interactions.' + n;
        lms.set(at + '.id', 'Scene1_Slide5_MultiChoice_0_' + n);
        lms.set(at + '.type', 'choice');
        lms.set(at + (isOld ? '.time' : '.timestamp'), isOld ? '10:01:30' : '2026-11-22T10:01:30.0+01:00');
        lms.set(at + '.weighting', '1');
        lms.set(at + (isOld ? '.student_response' : '.learner_response'), isOld ? 'a' : 'urn:scormdriver:Choice_5xKdF');
        lms.set(at + '.correct_responses.0.pattern', isOld ? 'a' : 'urn:scormdriver:Choice_5xKdF');
        lms.set(at + '.result', 'correct');
        lms.set(at + '.latency', isOld ? '0000:00:04.25' : 'PT4.25S');
        if (!isOld) lms.set(at + '.description', 'What do you do first?\\nChoose one answer.');
        setScore(lms, 80, 100);
        setStatus(lms, 'completed', 'passed');
        end();
        window.close();
      });
      `,
    ),
  }),
  slides: 'in a part',
  frames: [popup],
  departures: { middle: 'closes the popup', end: 'ends by itself' },
  times: {
    'to its end': '0000:01:30.50',
    resumed: '0000:03:01.00',
    'on a second device': '0000:01:30.50',
  },
};
