import { eventually } from '@registrar/testing';
import { coursePackage, page, partTitle } from './content/course-package.ts';
import { describeResumed, keptState, resumedState } from './content/content-state.ts';
import { findSurface } from './content/find-surface.ts';
import { CourseWindow } from './course-window.ts';
import { destinationOf, leave, waitForLastReport } from './departure.ts';
import type { ClientRecord, Installation } from './installation.ts';
import type { Standard } from './standards.ts';
import { type Cells, countErrors, none, type Play } from './table.ts';
import { type Trait, traitScript } from './traits/trait.ts';

/** Returns the plays of a trait: one package for each standard. */
export const traitPlays = (installation: Installation, trait: Trait): Play[] =>
  trait.standards.map((standard) => ({
    name: trait.name,
    standard,
    expected: expectedCells(trait, standard),
    play: async () => {
      const courseId = `${trait.name} ${standard}`;
      await installation.importCourse(courseId, await traitPackage(trait, standard));
      const registration = await installation.enrol(courseId, 'learner@example.com');
      return playTrait(installation, trait, registration);
    },
  }));

function traitPackage(trait: Trait, standard: Standard) {
  const scripts = Object.entries({ 'index.html': trait.script, ...trait.pages });
  const pages = scripts.map(([path, script]) => [
    path,
    page(standard, traitScript(trait) + script),
  ]);
  return coursePackage(standard, Object.fromEntries(pages) as Record<string, string>);
}

const expectedCells = ({ departure, expected = {} }: Trait, standard: Standard): Cells => ({
  completion: 'complete',
  success: 'succeeded',
  score: '80',
  time: '0000:01:30.50',
  suspend: 'back',
  navigation: destinationOf(departure),
  errors: '0',
  ...(typeof expected === 'function' ? expected(standard) : expected),
});

/** Plays the content, leaves it, reads the result, and opens the course again. */
async function playTrait(
  installation: Installation,
  trait: Trait,
  registration: string,
): Promise<Cells> {
  await using resources = new AsyncDisposableStack();
  const launch = async () => {
    const url = await installation.launchUrl(registration);
    const window = await CourseWindow.open(installation, url);
    return resources.adopt(window, (each) => each.dispose());
  };
  const window = await launch();
  const { root, popup } = await findSurface(window, partTitle, trait.frames ?? []);
  const answer = root.getByRole('button', { name: 'Answer' });
  await answer.waitFor();
  await answer.click();
  const navigation = await leave(window, trait.departure, popup);
  if (navigation === 'closed') await waitForLastReport(installation, registration);
  const record = await recordAfter(installation, registration, navigation);
  const { activityDetails } = await installation.details(registration);
  const runtime = activityDetails.children[0]?.runtime;

  const again = await launch();
  await findSurface(again, partTitle, trait.frames ?? []);
  const resumed = resumedState.parse(await again.variable('resumed'));
  return {
    completion: record.complete,
    success: record.success,
    score: String(record.score),
    time: runtime?.totalTime ?? none,
    suspend: describeResumed(resumed, keptState.parse(await again.variable('kept'))),
    navigation,
    errors: countErrors([
      ...window.errors,
      ...again.errors,
      ...differingIds(trait.ids ?? [], 'interactions', runtime?.runtimeInteractions ?? []),
      ...differingIds(trait.ids ?? [], 'objectives', runtime?.runtimeObjectives ?? []),
    ]),
  };
}

/** Reads the result at once, or, after the tab has closed, when its last report has been sent: there may be several. */
async function recordAfter(
  installation: Installation,
  registration: string,
  navigation: 'back' | 'closed',
): Promise<ClientRecord> {
  if (navigation === 'back') return installation.record(registration);
  const passed = eventually(
    'the result of the closed tab is there',
    async () => {
      const record = await installation.record(registration);
      return record.success === 'succeeded' && record;
    },
    { timeoutMs: 20_000 },
  );
  return passed.catch(() => installation.record(registration));
}

function differingIds(
  expected: readonly string[],
  list: string,
  entries: readonly { readonly id: string }[],
): string[] {
  const seen = entries.map(({ id }) => id).join(', ');
  return seen === expected.join(', ') ? [] : [`the ids of ${list} are ${seen}`];
}
