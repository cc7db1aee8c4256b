import type { Attack } from './attack.ts';
import { eventLoop } from './event-loop.ts';
import { expressions } from './expressions.ts';
import { forgedMessages } from './forged-messages.ts';
import { hostileCourses } from './hostile-courses.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { launches } from './launches.ts';
import { sizes } from './sizes.ts';
import { stalledBodies } from './stalled-bodies.ts';
import { storedQueries } from './stored-queries.ts';

/** All attacks, in the order of a run. */
export const attacks: readonly Attack[] = [
  fuzz,
  stalledBodies,
  eventLoop,
  sizes,
  expressions,
  storedQueries,
  launches,
  hostileCourses,
  forgedMessages,
];
