import { eventually } from '@registrar/testing';
import { coursePackage, page, partTitle } from './content/course-package.ts';
import { CourseWindow } from './course-window.ts';
import type { ClientRecord, Installation } from './installation.ts';
import { type Standard, standards } from './standards.ts';

/** How a launch is left, by turns. */
const ways = ['ends by itself', 'presses Exit', 'closes the tab'] as const;
type Way = (typeof ways)[number];

/** Launches that are open at a time. */
const concurrency = 4;
/** How long the last report of a closed tab may take before it counts as lost: milliseconds. */
const patienceMs = 20_000;

/** How soon the final result of a launch was there after the learner had left. */
type Arrival = 'at once' | 'later' | 'never';

/** What became of the results of a way to leave. */
export interface ExitCounts {
  readonly way: Way;
  readonly launches: number;
  readonly arrivals: Readonly<Record<Arrival, number>>;
}

/** The content sets its result with the click, and ends its session only if the learner does not leave otherwise. */
const content = (standard: Standard, way: Way) =>
  coursePackage(standard, {
    'index.html': page(
      standard,
      `const lms = connect(window);
       lms.start();
       document.body.innerHTML = '<button>Answer</button>';
       document.querySelector('button').onclick = () => {
         setScore(lms, 80, 100);
         setStatus(lms, 'completed', 'passed');
         lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'PT1M30.5S');
         ${way === 'ends by itself' ? 'lms.end();' : ''}
       };`,
    ),
  });

const isFinal = ({ complete, success, score }: ClientRecord) =>
  complete === 'complete' && success === 'succeeded' && score === 80;

/**
 * Leaves launches in each way, with a crawl in the middle of each, and asks for their results with
 * `refresh_if_launched` as soon as the learner has left (contract/registrations#refresh-if-launched).
 *
 * @param launches how many for each way
 * @param left called after each
 */
export async function measureExits(
  installation: Installation,
  launches: number,
  left: (done: number) => void,
): Promise<ExitCounts[]> {
  for (const way of ways) {
    for (const standard of standards) {
      await installation.importCourse(courseId(standard, way), await content(standard, way));
    }
  }
  const waiting = Array.from({ length: launches }, (_, round) =>
    ways.map((way) => ({ way, round })),
  ).flat();
  const counts = new Map(ways.map((way) => [way, { 'at once': 0, later: 0, never: 0 }]));
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { way, round } = next;
      const standard = standards[round % standards.length] ?? standards[0];
      const learner = `exit-${round}@example.com`;
      const registration = await installation.enrol(courseId(standard, way), learner);
      const arrival = await leave(installation, registration, way);
      const count = counts.get(way);
      if (count) count[arrival] += 1;
      left((done += 1));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return [...counts].map(([way, arrivals]) => ({ way, launches, arrivals }));
}

const courseId = (standard: Standard, way: Way) => `exit ${standard} ${way}`;

async function leave(installation: Installation, registration: string, way: Way): Promise<Arrival> {
  const window = await CourseWindow.open(installation, await installation.launchUrl(registration));
  try {
    const answer = window.part(partTitle).getByRole('button', { name: 'Answer' });
    await answer.waitFor().catch(async (cause: unknown) => {
      throw new Error(`a launch does not open; ${await window.describe()}`, { cause });
    });
    await installation.record(registration, 'crawl');
    await answer.click();
    if (way === 'closes the tab') await window.closeTab();
    else {
      if (way === 'presses Exit') await window.press('Exit');
      await window.waitUntilBack();
    }
    if (isFinal(await installation.record(registration))) return 'at once';
    const arrives = eventually(
      'the result is there',
      async () => isFinal(await installation.record(registration)),
      { timeoutMs: patienceMs, intervalMs: 200 },
    );
    return await arrives.then(
      () => 'later',
      () => 'never',
    );
  } finally {
    await window.dispose();
  }
}

/** Renders the counts, one line for each way. */
export const renderExits = (counts: readonly ExitCounts[]): string =>
  counts
    .map(
      ({ way, launches, arrivals }) =>
        `${way.padEnd(16)} ${arrivals['at once']} of ${launches} at once, ${arrivals.later} later, ${arrivals.never} lost`,
    )
    .join('\n');

/** Counts the launches whose results were late or lost. A closed tab may report some time after it has gone. */
export const failedExits = (counts: readonly ExitCounts[]): number =>
  counts.reduce(
    (sum, { way, arrivals }) =>
      sum + arrivals.never + (way === 'closes the tab' ? 0 : arrivals.later),
    0,
  );
