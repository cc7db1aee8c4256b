import { eventually } from '@registrar/testing';
import { coursePackage, partTitle } from './content/course-package.ts';
import {
  describeResumed,
  type KeptState,
  keptState,
  type ResumedState,
  resumedState,
} from './content/content-state.ts';
import { findSurface, type Surface } from './content/find-surface.ts';
import { CourseWindow } from './course-window.ts';
import { type Departure, destinationOf, leave, waitForLastReport } from './departure.ts';
import { type Habit, type Way, ways } from './habits/habit.ts';
import type { Installation } from './installation.ts';
import { type Cells, countErrors, none, type Play } from './table.ts';
import * as z from 'zod';

/** The slide or the part at which the learner leaves in the middle, and the last slide. */
const middle = { 'in a part': 3, parts: 2 };
const last = 5;

/** Returns the plays of a habit's packages: one package for each standard, in each way. */
export function habitPlays(installation: Installation, habit: Habit): Play[] {
  return habit.standards.flatMap((standard) => {
    const courseId = `${habit.name} ${standard}`;
    let imported: Promise<void> | null = null;
    const importOnce = async () => {
      const zip = await coursePackage(standard, habit.files(standard), habit.parts);
      await installation.importCourse(courseId, zip);
    };
    return ways.map((way) => ({
      name: `${habit.name}, ${way}`,
      standard,
      expected: expectedCells(habit, way),
      play: async () => {
        await (imported ??= importOnce());
        const learner = `${way.replaceAll(' ', '-')}@example.com`;
        const registration = await installation.enrol(courseId, learner);
        return playWay(installation, habit, way, registration);
      },
    }));
  });
}

function expectedCells({ slides, departures, times }: Habit, way: Way): Cells {
  const end = destinationOf(departures.end);
  const navigation = {
    'to its end': end,
    resumed: `${destinationOf(departures.middle)}, ${end}`,
    'on a second device': `${end}, first ended`,
  };
  return {
    completion: 'complete',
    success: 'succeeded',
    score: '80',
    time: times[way],
    suspend: slides === 'parts' ? none : way === 'to its end' ? 'kept' : 'back',
    navigation: navigation[way],
    errors: '0',
  };
}

async function playWay(
  installation: Installation,
  habit: Habit,
  way: Way,
  registration: string,
): Promise<Cells> {
  await using resources = new AsyncDisposableStack();
  const windows: CourseWindow[] = [];
  const launch = async () => {
    const url = await installation.launchUrl(registration);
    const window = await CourseWindow.open(installation, url);
    windows.push(resources.adopt(window, (each) => each.dispose()));
    return new Session(habit, window);
  };
  const { departures } = habit;
  const navigation: string[] = [];
  let suspend = none;
  const first = await launch();
  await first.begin();
  let session = first;
  if (way !== 'to its end') {
    const kept = await first.turnTo(middle[habit.slides]);
    if (way === 'resumed') {
      navigation.push(await first.leave(departures.middle));
      if (navigation.includes('closed')) await waitForLastReport(installation, registration);
    } else await waitUntilStored(installation, registration, kept);
    session = await launch();
    suspend = describeResumed(await session.begin(), kept);
  }
  const kept = await session.finish();
  const destination = await session.leave(departures.end);
  navigation.push(destination);
  if (destination === 'closed') await waitForLastReport(installation, registration);
  const record = await installation.record(registration);
  if (way === 'on a second device') {
    await first.window.pressUntil('Exit', 'This window has ended');
    navigation.push('first ended');
  }
  const { activityDetails } = await installation.details(registration);
  const runtime = activityDetails.children[0]?.runtime;
  if (habit.slides === 'parts') suspend = none;
  else if (way === 'to its end') {
    suspend = runtime?.suspendData === kept.suspendData ? 'kept' : 'lost';
  }
  return {
    completion: record.complete,
    success: record.success,
    score: String(record.score),
    time: runtime?.totalTime ?? none,
    suspend,
    navigation: navigation.join(', '),
    errors: countErrors(
      windows.flatMap(({ errors }) => errors.filter((error) => !endedElsewhere(error))),
    ),
  };
}

/** Waits until the provider has what the content of an open window has stored. */
const waitUntilStored = (installation: Installation, registration: string, kept: KeptState) =>
  eventually('the provider has the data of the open window', async () => {
    const { activityDetails } = await installation.details(registration);
    const stored = activityDetails.children[0]?.runtime?.suspendData ?? '';
    return stored === kept.suspendData;
  });

/** A learner's session in a course window. */
class Session {
  #surface: Surface | null = null;

  constructor(
    private readonly habit: Habit,
    readonly window: CourseWindow,
  ) {}

  /** Waits for the content. @returns what it found when it started */
  async begin(): Promise<ResumedState> {
    const { slides, frames = [] } = this.habit;
    if (slides !== 'parts') this.#surface = await findSurface(this.window, partTitle, frames);
    return resumedState.parse(await this.window.variable('resumed'));
  }

  /** Goes on until that slide. @returns what the content has stored then */
  async turnTo(slide: number): Promise<KeptState> {
    for (let at = await this.#at(); at < slide; at += 1) {
      if (this.#surface) await this.#surface.root.getByRole('button', { name: 'Next' }).click();
      else await this.window.press('Continue');
      await this.#root(at + 1)
        .getByRole('heading', { name: `Slide ${at + 1}`, exact: true })
        .waitFor();
    }
    return keptState.parse(await this.window.variable('kept'));
  }

  /** Goes on until the end, and answers the question there. */
  async finish(): Promise<KeptState> {
    if (!this.#surface) return this.turnTo(this.habit.parts?.length ?? 1);
    const kept = await this.turnTo(last);
    await this.#surface.root.getByRole('button', { name: 'Submit' }).click();
    return kept;
  }

  leave(departure: Departure): Promise<'back' | 'closed'> {
    return leave(this.window, departure, this.#surface?.popup ?? null);
  }

  /** The number of the slide that is shown. */
  async #at(): Promise<number> {
    return z.int().parse(await this.window.variable('slide'));
  }

  #root(slide: number) {
    return this.#surface?.root ?? this.window.part(`Page ${slide}`);
  }
}

/** The browser's message about a report that was refused, because the course is open in a newer window. */
const endedElsewhere = (error: string) => error.includes('status of 409');
