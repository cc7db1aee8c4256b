import { accessMatrix } from './access-matrix.ts';
import type { Attack } from './attack.ts';
import { consolePages } from './console/console.ts';
import { contentDownloads } from './content-downloads.ts';
import { crawlFlood } from './crawl-flood.ts';
import { eventLoop } from './event-loop.ts';
import { expressions } from './expressions.ts';
import { floods } from './floods.ts';
import { forgedMessages } from './forged-messages.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { guessing } from './guessing.ts';
import { hostileCourses } from './hostile-courses.ts';
import { hostileManifests } from './hostile-manifests.ts';
import { launches } from './launches.ts';
import { manyAddresses } from './many-addresses.ts';
import { postbackFlood } from './postback-flood.ts';
import { selfCompetition } from './self-competition.ts';
import { sizes } from './sizes.ts';
import { slowReaders } from './slow-readers.ts';
import { stalledBodies } from './stalled-bodies.ts';
import { storedQueries } from './stored-queries.ts';

/** All attacks, in the order of a run. */
export const attacks: readonly Attack[] = [
  accessMatrix,
  stalledBodies,
  manyAddresses,
  eventLoop,
  sizes,
  slowReaders,
  contentDownloads,
  hostileManifests,
  expressions,
  floods,
  selfCompetition,
  crawlFlood,
  postbackFlood,
  guessing,
  storedQueries,
  launches,
  hostileCourses,
  consolePages,
  forgedMessages,
  fuzz,
];
