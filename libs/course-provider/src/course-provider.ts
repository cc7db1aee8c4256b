import type {
  CrawlType,
  PackageFinding,
  ProviderCourse,
  ProviderRegistration,
} from '@registrar/contracts';

/** One page of a provider's list. */
export interface ProviderPage<Item> {
  readonly items: Item[];
  /** Token of the next page; null on the last page. */
  readonly more: string | null;
}

/** One page of a list of registrations. */
export interface RegistrationPage extends ProviderPage<ProviderRegistration> {
  /** The number of registrations of the whole list; null when it was not requested, or not sent. */
  readonly total: number | null;
}

/** Filters of a registration list, combined with AND. The list begins with the oldest of the filtered times. */
export interface RegistrationQuery {
  /**
   * How much of each result the provider returns. Required.
   *
   * `course` returns the summary. `full` adds the activity tree with its runtime data, which makes
   * a page many times larger.
   */
  readonly crawlType: CrawlType;
  /** Lower bound of the time range, inclusive. Default: none. */
  readonly since?: Date;
  /** Upper bound of the time range, inclusive. Default: none. */
  readonly until?: Date;
  /**
   * Which time `since` and `until` filter: the last change when true, the creation when false.
   * Default: false.
   */
  readonly byUpdated?: boolean;
  /** Whether the first page has the number of registrations of the whole list. Default: false. */
  readonly withTotal?: boolean;
  /** Id of the course. Default: all courses. */
  readonly courseGuid?: string;
  /** The learner's id at the provider, compared exactly. Default: all learners. */
  readonly learnerId?: string;
}

export interface NewRegistration {
  /**
   * Id of the new registration, chosen by the caller. Required.
   *
   * A caller that loses the response can look the registration up under this id, or create it
   * again: a second create under the same id is refused.
   */
  readonly registrationGuid: string;
  /** Id of a course that the provider holds. Required; an unknown course is refused. */
  readonly courseGuid: string;
  readonly learner: {
    /** Id of the learner at the provider; Registrar uses the e-mail address. Required. */
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  };
  /** Default: the provider posts nothing. */
  readonly postback?: PostbackTarget;
}

/** Where the provider posts the result of a registration whenever it changes. */
export interface PostbackTarget {
  /** Required. The provider may refuse addresses that it does not know. */
  readonly url: string;
  /** The provider sends them by HTTP Basic authentication. Required. */
  readonly userName: string;
  readonly password: string;
}

export interface LaunchOptions {
  /**
   * Lifetime of the launch link in seconds, from now. Required; the hosted provider accepts 10 to
   * 300 and refuses other values.
   */
  readonly expirySeconds: number;
  /**
   * Where the browser goes when the learner leaves the course. Required; null shows the provider's
   * own page about the end of the course.
   */
  readonly redirectUrl: string | null;
  /** Whether the provider records progress. Required; false opens the course for reading only. */
  readonly tracking: boolean;
}

/** A course package: a zip file with a SCORM 1.2 or SCORM 2004 course. */
export interface CoursePackage {
  /** Content of the file. It is read once, as a stream, and never held in memory as a whole. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * Size of the file in bytes. Default: unknown, which sends the package with chunked
   * transfer encoding.
   */
  readonly length?: number;
}

export interface ImportOptions {
  /**
   * What happens when the course id exists: true imports the package as a new version of that
   * course, false refuses the import. Default: false.
   */
  readonly mayCreateNewVersion: boolean;
}

export interface ImportJob {
  readonly status: 'running' | 'complete' | 'error';
  /** The provider's message; on `error` the reason. */
  readonly message: string;
  /** The imported course once the job is complete, otherwise null. */
  readonly course: ProviderCourse | null;
  /** What the import does not obey in the package; empty until the job is complete. */
  readonly warnings: readonly string[];
  /**
   * What the import has found in a package that it refuses; empty until then, and at a provider that does not tell, as
   * SCORM Cloud.
   */
  readonly findings: readonly PackageFinding[];
}
