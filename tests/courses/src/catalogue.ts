import { adapt } from './habits/adapt.ts';
import { captivate } from './habits/captivate.ts';
import { exelearning } from './habits/exelearning.ts';
import type { Habit } from './habits/habit.ts';
import { ispring } from './habits/ispring.ts';
import { rise } from './habits/rise.ts';
import { storyline } from './habits/storyline.ts';
import type { Installation } from './installation.ts';
import { habitPlays } from './play-habit.ts';
import { traitPlays } from './play-trait.ts';
import { casePlays } from './sequencing/play-case.ts';
import { readCases } from './sequencing/read-cases.ts';
import type { Play } from './table.ts';
import { leavingTraits } from './traits/leaving.ts';
import { startingTraits } from './traits/starting.ts';
import type { Trait } from './traits/trait.ts';
import { valueTraits } from './traits/values.ts';

const habits: readonly Habit[] = [rise, storyline, captivate, ispring, adapt, exelearning];

const traits: readonly Trait[] = [...startingTraits, ...valueTraits, ...leavingTraits];

/** Returns everything that the catalogue plays. */
export const catalogue = async (installation: Installation): Promise<Play[]> => [
  ...habits.flatMap((habit) => habitPlays(installation, habit)),
  ...traits.flatMap((trait) => traitPlays(installation, trait)),
  ...casePlays(installation, await readCases()),
];
