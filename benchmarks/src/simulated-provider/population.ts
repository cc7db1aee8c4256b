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

/** Registrations were created in the two years before the end of a population, more and more over the time. */
const durationMs = 2 * 365 * 86_400_000;

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

  /** @param end when the last registration had been created: milliseconds since the epoch */
  constructor(
    sizes: readonly number[],
    private readonly end: number,
  ) {
    this.#sizes = sizes;
  }

  /** Changes every `step`th registration of every application. Returns the numbers by application. */
  change(step: number, at: number): number[] {
    return this.#sizes.map((size, index) => {
      let changed = 0;
      for (let number = 0; number < size; number += step) {
        this.changeOne({ application: index + 1, number }, at);
        changed += 1;
      }
      return changed;
    });
  }

  changeOne({ application, number }: GeneratedRegistration, at: number): void {
    const changes = this.#changesOf(application);
    const version = (changes.get(number)?.version ?? 0) + 1;
    changes.delete(number);
    changes.set(number, { version, at });
  }

  /** Returns the numbers of an application's registrations that changed at `since` or later, until `until`. */
  changedBetween(application: number, since: number, until: number): number[] {
    const changes = this.#changesOf(application);
    return [...changes]
      .filter(([, { at }]) => at >= since && at <= until)
      .map(([number]) => number);
  }

  /** Returns the number of an application's registrations that were created before a time. */
  createdBefore(application: number, at: number): number {
    let [low, high] = [0, this.sizeOf(application)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.createdAt({ application, number: middle }) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rises with the number: milliseconds since the epoch. */
  createdAt({ application, number }: GeneratedRegistration): number {
    const part = Math.sqrt(number / this.sizeOf(application));
    return Math.floor(this.end - (1 - part) * durationMs);
  }

  sizeOf(application: number): number {
    return this.#sizes[application - 1] ?? 0;
  }

  /** Returns a registration as JSON text (version 2 of the provider's API). */
  json({ application, number }: GeneratedRegistration): string {
    const change = this.#changes.get(application)?.get(number);
    const version = change?.version ?? 0;
    const created = new Date(this.createdAt({ application, number })).toISOString();
    const updated = change ? new Date(change.at).toISOString() : created;
    const learner = `learner-${number}@scale.example`;
    return (
      `{"id":"${guidOf({ application, number })}","instance":0,"updated":"${updated}",` +
      `"registrationCompletion":"INCOMPLETE","registrationSuccess":"UNKNOWN",` +
      `"score":{"scaled":${number % 101}},"totalSecondsTracked":${version * 60},` +
      `"createdDate":"${created}","lastAccessDate":"${updated}",` +
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
