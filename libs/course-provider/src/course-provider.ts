import type { CrawlType, ProviderCourse, ProviderRegistration } from '#libs/contracts';

/** One page of a provider's list. `more` asks for the next one; null on the last page. */
export interface ProviderPage<Item> {
  readonly items: Item[];
  readonly more: string | null;
}

/** Which registrations a list holds; all that are given must fit. */
export interface RegistrationQuery {
  /** `full` adds the activity tree with its runtime data to every result. */
  readonly crawlType: CrawlType;
  /** Both ends are inclusive. */
  readonly since?: Date;
  readonly until?: Date;
  /** True: `since` and `until` mean the last change; else the creation. */
  readonly byUpdated?: boolean;
  readonly courseGuid?: string;
  /** The learner's id at the provider, exactly as it was given on create. */
  readonly learnerId?: string;
}

export interface NewRegistration {
  /** Ours to choose, so that a create can be asked about, and repeated, when its answer is lost. */
  readonly registrationGuid: string;
  readonly courseGuid: string;
  readonly learner: {
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  };
}

export interface LaunchOptions {
  /** How long the link opens the course: seconds from now. */
  readonly expirySeconds: number;
  /** Where the browser goes when the learner leaves the course; null for the provider's choice. */
  readonly redirectUrl: string | null;
  /** False opens the course for reading only. */
  readonly tracking: boolean;
}

/** A course package: a zip of a SCORM 1.2 or 2004 course. It is read once and never held whole. */
export interface CoursePackage {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** In bytes, where it is known. */
  readonly length?: number;
}

export interface ImportJob {
  readonly status: 'running' | 'complete' | 'error';
  /** What the provider says of it: on `error` the reason. */
  readonly message: string;
  /** What was imported, once the job is complete. */
  readonly course: ProviderCourse | null;
}

/**
 * A course provider, as one of its applications (accounts) sees it. Made by
 * `connectCourseProvider`; services get one from a `CourseProviderDirectory`.
 *
 * Every call ends at the deadline of the current operation, and after half a minute at the latest
 * (an import: ten minutes). What only reads is repeated a few times when the provider does not
 * answer or answers 502, 503 or 504; what changes something never is. Every call may throw a
 * `CourseProviderError`, which is a `Failure` and needs no translation.
 */
export interface CourseProvider {
  /**
   * Resolves when the provider answers and accepts the credentials.
   *
   * @returns its clock (ISO 8601, UTC, whole seconds), or null when it does not tell it
   */
  ping(): Promise<string | null>;

  /** One page: the first one, or the one that `more` of the page before leads to. */
  registrationPage(
    query: RegistrationQuery,
    more: string | null,
  ): Promise<ProviderPage<ProviderRegistration>>;
  /** All pages, each asked for when the consumer wants it. */
  listRegistrations(query: RegistrationQuery): AsyncIterable<ProviderRegistration[]>;
  /** Null when the provider has no such registration. */
  getRegistration(
    registrationGuid: string,
    crawlType: CrawlType,
  ): Promise<ProviderRegistration | null>;
  registrationExists(registrationGuid: string): Promise<boolean>;
  createRegistration(registration: NewRegistration): Promise<void>;
  /** Resolves, too, when there is no such registration. */
  deleteRegistration(registrationGuid: string): Promise<void>;
  /** A URL that opens the course in a browser without a login. It is a secret until it expires. */
  launchLink(registrationGuid: string, options: LaunchOptions): Promise<string>;

  /** One page, with metadata and registration counts, as {@link CourseProvider.registrationPage}. */
  coursePage(more: string | null): Promise<ProviderPage<ProviderCourse>>;
  listCourses(): AsyncIterable<ProviderCourse[]>;
  /** Null when the provider has no such course. */
  getCourse(courseGuid: string): Promise<ProviderCourse | null>;
  /**
   * Begins an import and answers its job's id. When the course exists already it becomes a new
   * version of it, if that was allowed, and else is refused.
   */
  importCourse(
    courseGuid: string,
    coursePackage: CoursePackage,
    options?: { readonly mayCreateNewVersion: boolean },
  ): Promise<string>;
  importJob(jobId: string): Promise<ImportJob>;
  /** Resolves, too, when there is no such course. */
  deleteCourse(courseGuid: string): Promise<void>;
  setCourseTitle(courseGuid: string, title: string): Promise<void>;
}
