/** A registration of a generated population: the provider's JSON text follows from these numbers. */
interface GeneratedRegistration {
  /** The number of its application, from 1. */
  readonly application: number;
  /** Its number in the application, from 0. */
  readonly number: number;
}

/** How often a registration has changed, and when it did last: milliseconds since the epoch. */
interface Change {
  readonly version: number;
  readonly at: number;
}

const createdAt = '2026-01-01T00:00:00.000Z';

/** The part of all registrations that the largest application has, about. */
const largestPart = 0.9;
/** The size of the applications that hold few registrations. */
const smallSize = 10;
/** One application in five is of middle size. */
const middleShare = 0.2;

/**
 * Returns the numbers of registrations of applications of very different sizes: the first has nine tenths of
 * all, some share the rest, and most have ten.
 */
export function sizesOf(registrations: number, applications: number): number[] {
  const middle = Math.max(1, Math.floor(applications * middleShare) - 1);
  const small = applications - 1 - middle;
  const rest = Math.floor((registrations * (1 - largestPart) - small * smallSize) / middle);
  const largest = registrations - middle * rest - small * smallSize;
  return [largest, ...Array<number>(middle).fill(rest), ...Array<number>(small).fill(smallSize)];
}

/**
 * The registrations of a course provider, which are generated when they are read. Only changes are
 * stored.
 */
export class Population {
  readonly #sizes: readonly number[];
  /** By application, in the order of the changes; a registration is moved to the end when it changes. */
  readonly #changes = new Map<number, Map<number, Change>>();

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
  }

  /** Changes every `step`th registration of every application. Returns the numbers by application. */
  change(step: number, at: number): number[] {
    return this.#sizes.map((size, index) => {
      const changes = this.#changesOf(index + 1);
      let changed = 0;
      for (let number = 0; number < size; number += step) {
        const version = (changes.get(number)?.version ?? 0) + 1;
        changes.delete(number);
        changes.set(number, { version, at });
        changed += 1;
      }
      return changed;
    });
  }

  /** Returns the numbers of an application's registrations that changed at `since` or later. */
  changedSince(application: number, since: number): number[] {
    const changes = this.#changesOf(application);
    return [...changes].filter(([, { at }]) => at >= since).map(([number]) => number);
  }

  sizeOf(application: number): number {
    return this.#sizes[application - 1] ?? 0;
  }

  /** Returns a registration as JSON text (version 2 of the provider's API). */
  json({ application, number }: GeneratedRegistration): string {
    const change = this.#changes.get(application)?.get(number);
    const version = change?.version ?? 0;
    const updated = change ? new Date(change.at).toISOString() : createdAt;
    const learner = `learner-${number}@scale.example`;
    return (
      `{"id":"${guidOf({ application, number })}","instance":0,"updated":"${updated}",` +
      `"registrationCompletion":"INCOMPLETE","registrationSuccess":"UNKNOWN",` +
      `"score":{"scaled":${number % 101}},"totalSecondsTracked":${version * 60},` +
      `"createdDate":"${createdAt}","lastAccessDate":"${updated}",` +
      `"course":{"id":"course-${application}","title":"Course ${application}","version":0},` +
      `"learner":{"id":"${learner}","email":"${learner}","firstName":"Learner",` +
      `"lastName":"${number}"},"activityDetails":{"attempts":${version + 1}}}`
    );
  }

  #changesOf(application: number): Map<number, Change> {
    const changes = this.#changes.get(application) ?? new Map<number, Change>();
    this.#changes.set(application, changes);
    return changes;
  }
}

export const guidOf = ({ application, number }: GeneratedRegistration): string =>
  `scale-${application}-${number}`;

/** Returns the registration of a GUID; null for a GUID of another form. */
export function registrationOf(guid: string): GeneratedRegistration | null {
  const [, application, number] = /^scale-(\d+)-(\d+)$/.exec(guid) ?? [];
  return application && number ? { application: +application, number: +number } : null;
}
