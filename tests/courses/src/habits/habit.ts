import type { PackagePart } from '../content/course-package.ts';
import type { Departure } from '../departure.ts';
import type { Standard } from '../standards.ts';

/** How the packages of an authoring tool behave: what they do is public knowledge, the scripts are our own. */
export interface Habit {
  /** The tool, as the table names it. */
  readonly name: string;
  readonly standards: readonly Standard[];
  /** The pages of the package, by path. */
  readonly files: (standard: Standard) => Readonly<Record<string, string>>;
  /** The parts; by default one that launches `index.html`. */
  readonly parts?: readonly PackagePart[];
  /** Whether the slides are in one part, or each in a part of its own. */
  readonly slides: 'in a part' | 'parts';
  /** The frames and windows within the frame of the part, from the outer to the inner one. */
  readonly frames?: readonly string[];
  /** How the learner leaves in the middle of the course, and at its end. */
  readonly departures: { readonly middle: Departure; readonly end: Departure };
  /** The total time of the first part in each way, as the provider's API returns it. */
  readonly times: Readonly<Record<Way, string>>;
}

/** The ways in which a package is played: in one session, in two, and in two of which the first stays open. */
export const ways = ['to its end', 'resumed', 'on a second device'] as const;
export type Way = (typeof ways)[number];
