import { eventually } from '@registrar/testing';
import type { Frame, Locator } from 'playwright-core';
import * as z from 'zod';
import { CourseWindow } from '../course-window.ts';
import type { Installation } from '../installation.ts';
import { type Cells, countErrors, none, type Play } from '../table.ts';
import { casePackage, titleOf } from './case-package.ts';
import { makeCalls, readCall } from './content-calls.ts';
import type { SequencingCase, Visit } from './sequencing-case.ts';

/** Requests after which the course window closes by itself. */
const endingRequests = ['exitAll', 'suspendAll', 'abandonAll'];

/** Milliseconds until the next activity must have been delivered, or a control must have changed. */
const patienceMs = 120_000;

/** Returns the plays of all cases. */
export const casePlays = (installation: Installation, cases: readonly SequencingCase[]): Play[] =>
  cases.map((each) => ({
    name: each.id,
    standard: '2004 4th Edition',
    expected: cells(
      each.visits.map(({ activity }) => activity),
      [],
    ),
    play: async () => {
      for (const earlier of casesBefore(each, cases)) {
        await playCase(installation, earlier, each.id);
      }
      return playCase(installation, each, each.id);
    },
  }));

/** The cases that the learner goes through before one, the first one first. */
function casesBefore(
  { after }: SequencingCase,
  cases: readonly SequencingCase[],
): readonly SequencingCase[] {
  const before = cases.find(({ id }) => id === after);
  return before ? [...casesBefore(before, cases), before] : [];
}

/** @param learner the name of the learner, to whom global objectives belong */
async function playCase(
  installation: Installation,
  sequencingCase: SequencingCase,
  learner: string,
): Promise<Cells> {
  const courseId = `${sequencingCase.id} of ${learner}`;
  await installation.importCourse(courseId, await casePackage(sequencingCase));
  const registration = await installation.enrol(courseId, `${learner.toLowerCase()}@example.com`);
  await using player = new CaseLearner(installation, registration);
  return player.play(sequencingCase);
}

/** Only the order of activities and the calls of content are compared. */
const cells = (delivered: readonly string[], errors: readonly string[]): Cells => ({
  completion: none,
  success: none,
  score: none,
  time: none,
  suspend: none,
  navigation: delivered.join(' '),
  errors: countErrors(errors),
});

const callResults = z.object({
  start: z.literal('true'),
  results: z.array(z.tuple([z.string(), z.string()])),
  end: z.literal('true'),
});

/** A learner who goes through a case, with the calls of its content. */
class CaseLearner {
  #window: CourseWindow | null = null;
  readonly #delivered: string[] = [];
  readonly #errors: string[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly registration: string,
  ) {}

  async play({ visits, start }: SequencingCase): Promise<Cells> {
    await this.#launch();
    if (start !== null) await this.#choose(start);
    for (const visit of visits) {
      const frame = await this.#next(visit.activity);
      if (!frame) break;
      await this.#check(visit);
      await this.#call(frame, visit);
      for (const act of visit.acts) await this.#act(act, visit);
    }
    return cells(this.#delivered, [...this.#errors, ...this.#open.errors]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#window?.dispose();
  }

  get #open(): CourseWindow {
    if (!this.#window) throw new Error('the course is not open');
    return this.#window;
  }

  async #launch(): Promise<void> {
    await this.#window?.dispose();
    const url = await this.installation.launchUrl(this.registration);
    this.#window = await CourseWindow.open(this.installation, url);
  }

  /** Waits for the next activity, and notes it. @returns null if it is not the expected one */
  async #next(expected: string): Promise<Frame | null> {
    const found = await eventually(
      `activity ${expected} is delivered`,
      async () => {
        for (const frame of this.#open.page.frames()) {
          const activity: unknown = await frame.evaluate(
            `window.isPlayed || !document.querySelector('h1') ? null : new URLSearchParams(location.search).get('activity')`,
          );
          if (typeof activity === 'string') return { frame, activity };
        }
        return null;
      },
      { timeoutMs: patienceMs },
    ).catch(async (cause: unknown) => {
      const shown = await this.#open.describe();
      throw new Error(`activity ${expected} is not delivered; ${shown}`, { cause });
    });
    this.#delivered.push(found.activity);
    return found.activity === expected ? found.frame : null;
  }

  /** Checks what the player shows, as soon as it does. */
  async #check({ activity, shown }: Visit): Promise<void> {
    for (const each of shown) {
      const [, not, what = '', target = ''] = /^(not )?(\w+)(?: (\w+))?$/.exec(each) ?? [];
      await eventually(
        `the player shows ${each}`,
        async () => (await this.#shows(what, target)) === (not === undefined),
        { timeoutMs: patienceMs },
      ).catch(() => this.#errors.push(`${activity}: the player does not show "${each}"`));
    }
  }

  async #shows(what: string, target: string): Promise<boolean> {
    const { page } = this.#open;
    const isEnabled = (locator: Locator) =>
      locator.and(page.locator(':not([aria-disabled="true"]):enabled')).first().isVisible();
    switch (what) {
      case 'contents':
        return isEnabled(page.getByRole('navigation', { name: 'Contents' }).getByRole('button'));
      case 'choice':
        return isEnabled(this.#entry(target));
      case 'entry':
        return this.#entry(target).isVisible();
      default: {
        const name = what === 'continue' ? 'Continue' : 'Previous';
        return isEnabled(page.getByRole('button', { name, exact: true }));
      }
    }
  }

  /** Makes the calls of the content, from the start of its session to the end. */
  async #call(frame: Frame, { activity, steps, request, lastRequest }: Visit): Promise<void> {
    if (steps.includes('no calls')) {
      await frame.evaluate('window.isPlayed = true');
      return;
    }
    const exits = steps.some((step) => step.startsWith('exit :='));
    const startsItself = steps.some((step) => step.startsWith('Initialize('));
    const requestOf = (text: string | null) => (text ? [`adl.nav.request := ${text}`] : []);
    const calls = [
      ...steps,
      ...requestOf(request),
      ...(exits || startsItself ? [] : ['exit := normal']),
    ].map(readCall);
    const lastCalls = lastRequest === null ? null : requestOf(lastRequest).map(readCall);
    const given = [calls, lastCalls, startsItself].map((each) => JSON.stringify(each));
    const { results } = callResults.parse(
      await frame.evaluate(`(${makeCalls})(${given.join(', ')})`),
    );
    for (const [at, [result, error]] of results.entries()) {
      const call = calls[at];
      if (!call || call.fits(result, error)) continue;
      this.#errors.push(`${activity}: "${call.text}" returned ${JSON.stringify(result)}, ${error}`);
    }
  }

  async #act(act: string, { request, acts }: Visit): Promise<void> {
    const isEnding = request !== null && endingRequests.includes(request);
    switch (act) {
      case 'Continue':
      case 'Previous':
      case 'End course':
      case 'Exit':
        return this.#open.press(act);
      case 'nothing':
        return this.#waitUntilTakenAway();
      case 'ended':
        return this.#open.waitUntilBack();
      case 'relaunch':
        if (!isEnding && acts[0] === 'relaunch') await this.#open.press('Exit');
        await this.#open.waitUntilBack();
        return this.#launch();
      default:
        return this.#choose(act.replace('choice ', ''));
    }
  }

  /** Waits until the player has taken the content away, and the course goes on. */
  async #waitUntilTakenAway(): Promise<void> {
    await this.#open.page.locator('iframe').waitFor({ state: 'detached' });
    await this.#entry('course').waitFor();
  }

  /** Chooses an activity in the contents. */
  async #choose(id: string): Promise<void> {
    await this.#entry(id).click();
  }

  #entry(id: string): Locator {
    const contents = this.#open.page.getByRole('navigation', { name: 'Contents' });
    return contents.getByRole('button', { name: new RegExp(`^${titleOf(id)}( |$)`) });
  }
}
