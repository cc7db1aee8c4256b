import {
  courseSetting,
  type CourseSetting,
  type CourseVersion,
  type CrawlType,
  maxCourseSettings,
  maxListedVersions,
  maxSettingLength,
  packageFindings,
  type ProviderCourse,
  type ProviderRegistration,
} from '@registrar/contracts';
import * as z from 'zod';
import { CourseProviderError } from './course-provider-error.ts';
import {
  type CoursePackage,
  type ImportJob,
  type ImportOptions,
  type LaunchOptions,
  type NewRegistration,
  type ProviderPage,
  type RegistrationPage,
  type RegistrationQuery,
} from './course-provider.ts';
import {
  courseResponse,
  parserWarnings,
  toCourseVersion,
  toProviderCourse,
} from './provider-course.ts';
import { packageUpload } from './package-upload.ts';
import { providerDate } from './provider-date.ts';
import { nullIfNotFound, type ProviderHttpClient } from './provider-http-client.ts';
import { registrationResponse, toProviderRegistration } from './provider-registration.ts';

const more = z
  .string()
  .nullish()
  .transform((token) => token || null);
const registrationListResponse = z.object({ registrations: z.array(registrationResponse), more });
const courseListResponse = z.object({ courses: z.array(courseResponse), more });
const versionListResponse = z.object({ courses: z.array(courseResponse) });
const importResponse = z.object({ result: z.string().min(1) });
const pingResponse = z.object({ currentTime: providerDate });
const launchResponse = z.object({ launchLink: z.url() });
const settingsResponse = z.object({
  settingItems: z
    .array(
      z.object({
        id: courseSetting.shape.id,
        effectiveValue: z.string().nullish(),
        effectiveValueSource: courseSetting.shape.source.nullish(),
      }),
    )
    .max(maxCourseSettings),
});
const importJobResponse = z.object({
  status: z.enum(['RUNNING', 'COMPLETE', 'ERROR']),
  message: z.string().nullish(),
  // What another provider calls so is left out.
  findings: packageFindings.default([]).catch([]),
  importResult: z.object({ course: courseResponse.nullish(), parserWarnings }).nullish(),
});

/** Query parameters that add the activity tree and its runtime data to a result. */
const fullResultOptions = (crawlType: CrawlType) =>
  crawlType === 'full' && {
    includeChildResults: true,
    includeInteractionsAndObjectives: true,
    includeRuntime: true,
  };
const courseDetails = { includeCourseMetadata: true };
/** Credentials in a header, and the summary alone: only the id of the registration is read of it. */
const postbackOptions = { authType: 'HTTPBASIC', resultsFormat: 'COURSE' };
/** The provider's keyword for its own page about the end of the course. */
const defaultRedirect = 'message';

/**
 * A course provider, as seen by one of its applications (accounts), over version 2 of the HTTP API. Created by
 * `connectCourseProvider`; services get one from a `CourseProviderDirectory`.
 *
 * **Time limits.** A call ends at the deadline of the current request context, and after 30 seconds
 * at the latest (`importCourse`: 10 minutes).
 *
 * **Retries.** A call that is safe to repeat is sent up to three times when the connection fails or
 * the provider responds with 502, 503 or 504, with 50 to 200 ms in between. `createRegistration`
 * and `importCourse` are sent once.
 *
 * **Errors.** Every call may throw a `CourseProviderError`. It is a `Failure`, so it crosses the bus
 * without translation.
 */
export class HttpCourseProvider {
  constructor(private readonly http: ProviderHttpClient) {}

  /**
   * Checks that the provider answers and accepts the credentials.
   *
   * @returns the provider's clock (ISO 8601, UTC, whole seconds), or null when it sends none
   */
  async ping(): Promise<string | null> {
    return (await this.http.request({ method: 'GET', path: ['ping'] }, pingResponse)).currentTime;
  }

  /**
   * Returns one page of registrations.
   *
   * @param token of the page, from the page before; null for the first page
   */
  async getRegistrationPage(
    query: RegistrationQuery,
    token: string | null,
  ): Promise<RegistrationPage> {
    const { crawlType, courseGuid, learnerId, since, until, byUpdated, withTotal } = query;
    const first = {
      courseId: courseGuid,
      learnerId,
      since: since?.toISOString(),
      until: until?.toISOString(),
      ...(byUpdated && { datetimeFilter: 'updated' }),
      // What is added or changes meanwhile comes last, so that no page is missed or repeated.
      orderBy: byUpdated ? 'updated_asc' : 'created_asc',
      ...(withTotal && { includeTotalCount: true }),
      ...fullResultOptions(crawlType),
    };
    const { list, total } = await this.http.requestList(
      { method: 'GET', path: ['registrations'], query: token ? { more: token } : first },
      registrationListResponse,
    );
    const items = list.registrations.map((response) => toProviderRegistration(response, crawlType));
    return { items, more: list.more, total };
  }

  /** Iterates over all pages of registrations; each page is requested when it is consumed. */
  listRegistrations(query: RegistrationQuery): AsyncIterable<ProviderRegistration[]> {
    return eachPage((token) => this.getRegistrationPage(query, token));
  }

  /** Returns a registration, or null when the provider has no such registration. */
  async getRegistration(
    registrationGuid: string,
    crawlType: CrawlType,
  ): Promise<ProviderRegistration | null> {
    const query = { ...fullResultOptions(crawlType) };
    const path = ['registrations', registrationGuid];
    const response = await this.http
      .request({ method: 'GET', path, query }, registrationResponse)
      .catch(nullIfNotFound);
    return response && toProviderRegistration(response, crawlType);
  }

  /**
   * Returns whether the provider has the registration. Uses GET: the response to HEAD has no body that identifies the
   * provider's own 404.
   */
  async registrationExists(registrationGuid: string): Promise<boolean> {
    return (await this.getRegistration(registrationGuid, 'course')) !== null;
  }

  /**
   * Creates a registration.
   *
   * @throws {CourseProviderError} `refused` when the id is in use, the course does not exist, the
   * address of the postback is not allowed, or the account's registration limit is reached
   * (`detail.error_code` is then `4`)
   */
  async createRegistration(registration: NewRegistration): Promise<void> {
    const { registrationGuid, courseGuid, learner, postback } = registration;
    const body = { registrationId: registrationGuid, courseId: courseGuid, learner };
    const create = (more: object) =>
      this.http
        .send({ method: 'POST', path: ['registrations'], body: { ...body, ...more } })
        .catch(refusedIfNotFound);
    if (!postback) return create({});
    return create({ postBack: { ...postback, ...postbackOptions } }).catch((error: unknown) => {
      // Postbacks are a convenience: the learner gets the registration without them.
      if (isPostbackRefused(error)) return create({});
      throw error;
    });
  }

  /** Deletes a registration; succeeds when there is none. */
  async deleteRegistration(registrationGuid: string): Promise<void> {
    const path = ['registrations', registrationGuid];
    await this.http.send({ method: 'DELETE', path }).catch(nullIfNotFound);
  }

  /**
   * Creates a URL that opens the course in a browser without a login. The URL is a secret until it
   * expires.
   *
   * @throws {CourseProviderError} `not-found` when there is no such registration
   */
  async createLaunchLink(registrationGuid: string, options: LaunchOptions): Promise<string> {
    const body = {
      expiry: options.expirySeconds,
      redirectOnExitUrl: options.redirectUrl ?? defaultRedirect,
      tracking: options.tracking,
    };
    const path = ['registrations', registrationGuid, 'launchLink'];
    const request = { method: 'POST', path, body, repeatable: true } as const;
    return (await this.http.request(request, launchResponse)).launchLink;
  }

  /**
   * Creates a URL that opens the newest version of a course in a browser without a login and without a registration. The
   * provider records nothing. The URL is a secret until it expires.
   *
   * @param expirySeconds as in {@link LaunchOptions}
   * @throws {CourseProviderError} `not-found` when there is no such course
   */
  async createPreviewLink(courseGuid: string, expirySeconds: number): Promise<string> {
    const body = { expiry: expirySeconds, redirectOnExitUrl: defaultRedirect };
    const path = ['courses', courseGuid, 'preview'];
    const request = { method: 'POST', path, body, repeatable: true } as const;
    return (await this.http.request(request, launchResponse)).launchLink;
  }

  /**
   * Ends the course windows of a registration, and the links that open one. Succeeds when there is no
   * such registration, and without effect at a provider that has no such call, as SCORM Cloud.
   */
  async endLaunches(registrationGuid: string): Promise<void> {
    const path = ['registrations', registrationGuid, 'launches'];
    await this.http.send({ method: 'DELETE', path }).catch(nullIfNotFound);
  }

  /**
   * Returns one page of courses, with metadata and registration counts.
   *
   * @param token of the page, from the page before; null for the first page
   */
  async getCoursePage(token: string | null): Promise<ProviderPage<ProviderCourse>> {
    const query = token ? { more: token } : courseDetails;
    const { list } = await this.http.requestList(
      { method: 'GET', path: ['courses'], query },
      courseListResponse,
    );
    return { items: list.courses.map(toProviderCourse), more: list.more };
  }

  /** Iterates over all pages of courses; each page is requested when it is consumed. */
  listCourses(): AsyncIterable<ProviderCourse[]> {
    return eachPage((token) => this.getCoursePage(token));
  }

  /** Returns a course, or null when the provider has no such course. */
  async getCourse(courseGuid: string): Promise<ProviderCourse | null> {
    const request = { method: 'GET', path: ['courses', courseGuid], query: courseDetails } as const;
    const response = await this.http.request(request, courseResponse).catch(nullIfNotFound);
    return response && toProviderCourse(response);
  }

  /**
   * Uploads a course package and starts its import.
   *
   * @returns the id of the import job, for {@link CourseProvider.getImportJob}
   * @throws {CourseProviderError} `refused` when the course exists and `mayCreateNewVersion` is false
   * @throws the package stream's own error, when reading it fails
   */
  async importCourse(
    courseGuid: string,
    coursePackage: CoursePackage,
    { mayCreateNewVersion }: ImportOptions = { mayCreateNewVersion: false },
  ): Promise<string> {
    const request = {
      method: 'POST',
      path: ['courses', 'importJobs', 'upload'],
      query: { courseId: courseGuid, mayCreateNewVersion },
      upload: packageUpload(coursePackage),
    } as const;
    return (await this.http.request(request, importResponse)).result;
  }

  /** Returns the state of an import job. */
  async getImportJob(jobId: string): Promise<ImportJob> {
    const path = ['courses', 'importJobs', jobId];
    const response = await this.http.request({ method: 'GET', path }, importJobResponse);
    const course = response.importResult?.course;
    return {
      status: ({ RUNNING: 'running', COMPLETE: 'complete', ERROR: 'error' } as const)[
        response.status
      ],
      message: response.message ?? '',
      course: course ? toProviderCourse(course) : null,
      warnings: response.importResult?.parserWarnings ?? [],
      findings: response.findings,
    };
  }

  /** Deletes a course; succeeds when there is none. */
  async deleteCourse(courseGuid: string): Promise<void> {
    await this.http.send({ method: 'DELETE', path: ['courses', courseGuid] }).catch(nullIfNotFound);
  }

  /** Returns the newest versions of a course with the numbers of their registrations, the newest first. */
  async getCourseVersions(courseGuid: string): Promise<CourseVersion[]> {
    const path = ['courses', courseGuid, 'versions'];
    const query = { includeRegistrationCount: true };
    const { courses } = await this.http.request(
      { method: 'GET', path, query },
      versionListResponse,
    );
    return courses
      .map(toCourseVersion)
      .toSorted((one, other) => other.version - one.version)
      .slice(0, maxListedVersions);
  }

  /** Deletes a version of a course with its registrations, and the course with its last one; succeeds when there is none. */
  async deleteCourseVersion(courseGuid: string, version: number): Promise<void> {
    const path = ['courses', courseGuid, 'versions', String(version)];
    await this.http.send({ method: 'DELETE', path }).catch(nullIfNotFound);
  }

  /** Returns the settings of a course, as they hold for it. Passwords are masked, whether the provider does so or not. */
  async getCourseSettings(courseGuid: string): Promise<CourseSetting[]> {
    const path = ['courses', courseGuid, 'configuration'];
    const { settingItems } = await this.http.request({ method: 'GET', path }, settingsResponse);
    return settingItems.map(({ id, effectiveValue, effectiveValueSource }) => ({
      id,
      value: shownValue(id, effectiveValue ?? ''),
      source: effectiveValueSource ?? 'default',
    }));
  }

  /**
   * Sets settings of a course.
   *
   * @param values by the names of settings
   * @throws {CourseProviderError} `refused` for a setting or a value that the provider does not have
   */
  async setCourseSettings(
    courseGuid: string,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const settings = Object.entries(values).map(([settingId, value]) => ({
      settingId,
      value,
      explicit: true,
    }));
    const path = ['courses', courseGuid, 'configuration'];
    await this.http.send({ method: 'POST', path, body: { settings }, repeatable: true });
  }

  /** Removes a setting of a course, so that the value of the level above holds. */
  async removeCourseSetting(courseGuid: string, id: string): Promise<void> {
    await this.http.send({ method: 'DELETE', path: ['courses', courseGuid, 'configuration', id] });
  }

  /** Sets the title of a course. */
  async setCourseTitle(courseGuid: string, title: string): Promise<void> {
    await this.http.send({
      method: 'PUT',
      path: ['courses', courseGuid, 'title'],
      body: { title },
    });
  }
}

/** The port: what {@link HttpCourseProvider} offers to services. */
export type CourseProvider = Pick<HttpCourseProvider, keyof HttpCourseProvider>;

/** Whether the provider refused what a create says about postbacks, because it does not allow the address. */
const isPostbackRefused = (error: unknown): boolean =>
  error instanceof CourseProviderError &&
  error.fault.kind === 'refused' &&
  /\bpostbacks?\b/i.test(error.fault.providerMessage);

async function* eachPage<Item>(
  getPage: (token: string | null) => Promise<ProviderPage<Item>>,
): AsyncGenerator<Item[]> {
  let token: string | null = null;
  do {
    const page: ProviderPage<Item> = await getPage(token);
    yield page.items;
    token = page.more;
  } while (token !== null);
}

/**
 * Handler for `catch` of a create: its 404 is about the course that the body names, so the provider
 * refuses the create (contract/registrations#create-403).
 */
function refusedIfNotFound(error: unknown): never {
  if (error instanceof CourseProviderError && error.fault.kind === 'not-found') {
    throw new CourseProviderError({ ...error.fault, kind: 'refused' }, { cause: error });
  }
  throw error;
}

/** The value of a setting: a password is masked, and what is too long is cut. */
function shownValue(id: string, value: string): string {
  if (id.endsWith('Password') && value !== '') return '********';
  return value.length > maxSettingLength ? `${value.slice(0, maxSettingLength - 1)}…` : value;
}
