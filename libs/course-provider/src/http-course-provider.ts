import { type CrawlType, type ProviderCourse, type ProviderRegistration } from '#libs/contracts';
import * as z from 'zod';
import {
  type CoursePackage,
  type CourseProvider,
  type ImportJob,
  type LaunchOptions,
  type NewRegistration,
  type ProviderPage,
  type RegistrationQuery,
} from './course-provider.ts';
import { courseAnswer, courseResult } from './course-result.ts';
import { packageUpload } from './package-upload.ts';
import { providerDate } from './provider-dates.ts';
import { nullIfUnknown, type ProviderHttp } from './provider-http.ts';
import { registrationAnswer, registrationResult } from './registration-result.ts';

const more = z
  .string()
  .nullish()
  .transform((token) => token || null);
const registrationList = z.object({ registrations: z.array(registrationAnswer), more });
const courseList = z.object({ courses: z.array(courseAnswer), more });
const importStarted = z.object({ result: z.string().min(1) });
const pingAnswer = z.object({ currentTime: providerDate });
const launchAnswer = z.object({ launchLink: z.url() });
const jobAnswer = z.object({
  status: z.enum(['RUNNING', 'COMPLETE', 'ERROR']),
  message: z.string().nullish(),
  importResult: z.object({ course: courseAnswer.nullish() }).nullish(),
});

/** What a full result has beside the summary of its registration. */
const inFull = (crawlType: CrawlType) =>
  crawlType === 'full' && {
    includeChildResults: true,
    includeInteractionsAndObjectives: true,
    includeRuntime: true,
  };
const courseDetails = { includeCourseMetadata: true, includeRegistrationCount: true };
/** The provider's keyword for a page that says that the course is over. */
const farewellPage = 'message';

/** The port to a course provider over version 2 of its HTTP API. */
export class HttpCourseProvider implements CourseProvider {
  constructor(private readonly http: ProviderHttp) {}

  async ping(): Promise<string | null> {
    return (await this.http.ask({ method: 'GET', path: ['ping'] }, pingAnswer)).currentTime;
  }

  async registrationPage(
    query: RegistrationQuery,
    token: string | null,
  ): Promise<ProviderPage<ProviderRegistration>> {
    const { crawlType, courseGuid, learnerId, since, until } = query;
    const first = {
      courseId: courseGuid,
      learnerId,
      since: since?.toISOString(),
      until: until?.toISOString(),
      ...(query.byUpdated && { datetimeFilter: 'updated' }),
      ...inFull(crawlType),
    };
    const page = await this.http.ask(
      { method: 'GET', path: ['registrations'], query: token ? { more: token } : first },
      registrationList,
    );
    const items = page.registrations.map((answer) => registrationResult(answer, crawlType));
    return { items, more: page.more };
  }

  listRegistrations(query: RegistrationQuery): AsyncIterable<ProviderRegistration[]> {
    return eachPage((token) => this.registrationPage(query, token));
  }

  async getRegistration(
    registrationGuid: string,
    crawlType: CrawlType,
  ): Promise<ProviderRegistration | null> {
    const query = { ...inFull(crawlType) };
    const path = ['registrations', registrationGuid];
    const answer = await this.http.find({ method: 'GET', path, query }, registrationAnswer);
    return answer && registrationResult(answer, crawlType);
  }

  /** By GET: the answer to a HEAD has no body that tells the provider's own 404 from another. */
  async registrationExists(registrationGuid: string): Promise<boolean> {
    return (await this.getRegistration(registrationGuid, 'course')) !== null;
  }

  async createRegistration(registration: NewRegistration): Promise<void> {
    const { registrationGuid, courseGuid, learner } = registration;
    const body = { registrationId: registrationGuid, courseId: courseGuid, learner };
    await this.http.tell({ method: 'POST', path: ['registrations'], body });
  }

  async deleteRegistration(registrationGuid: string): Promise<void> {
    const path = ['registrations', registrationGuid];
    await this.http.tell({ method: 'DELETE', path }).catch(nullIfUnknown);
  }

  async launchLink(registrationGuid: string, options: LaunchOptions): Promise<string> {
    const body = {
      expiry: options.expirySeconds,
      redirectOnExitUrl: options.redirectUrl ?? farewellPage,
      tracking: options.tracking,
    };
    const path = ['registrations', registrationGuid, 'launchLink'];
    const call = { method: 'POST', path, body, repeatable: true } as const;
    return (await this.http.ask(call, launchAnswer)).launchLink;
  }

  async coursePage(token: string | null): Promise<ProviderPage<ProviderCourse>> {
    const query = token ? { more: token } : courseDetails;
    const page = await this.http.ask({ method: 'GET', path: ['courses'], query }, courseList);
    return { items: page.courses.map(courseResult), more: page.more };
  }

  listCourses(): AsyncIterable<ProviderCourse[]> {
    return eachPage((token) => this.coursePage(token));
  }

  async getCourse(courseGuid: string): Promise<ProviderCourse | null> {
    const path = ['courses', courseGuid];
    const query = courseDetails;
    const answer = await this.http.find({ method: 'GET', path, query }, courseAnswer);
    return answer && courseResult(answer);
  }

  async importCourse(
    courseGuid: string,
    coursePackage: CoursePackage,
    { mayCreateNewVersion } = { mayCreateNewVersion: false },
  ): Promise<string> {
    const call = {
      method: 'POST',
      path: ['courses', 'importJobs', 'upload'],
      query: { courseId: courseGuid, mayCreateNewVersion },
      upload: packageUpload(coursePackage),
    } as const;
    return (await this.http.ask(call, importStarted)).result;
  }

  async importJob(jobId: string): Promise<ImportJob> {
    const path = ['courses', 'importJobs', jobId];
    const answer = await this.http.ask({ method: 'GET', path }, jobAnswer);
    const course = answer.importResult?.course;
    return {
      status: ({ RUNNING: 'running', COMPLETE: 'complete', ERROR: 'error' } as const)[
        answer.status
      ],
      message: answer.message ?? '',
      course: course ? courseResult(course) : null,
    };
  }

  async deleteCourse(courseGuid: string): Promise<void> {
    await this.http.tell({ method: 'DELETE', path: ['courses', courseGuid] }).catch(nullIfUnknown);
  }

  async setCourseTitle(courseGuid: string, title: string): Promise<void> {
    await this.http.tell({
      method: 'PUT',
      path: ['courses', courseGuid, 'title'],
      body: { title },
    });
  }
}

async function* eachPage<Item>(
  ask: (token: string | null) => Promise<ProviderPage<Item>>,
): AsyncGenerator<Item[]> {
  let token: string | null = null;
  do {
    const page: ProviderPage<Item> = await ask(token);
    yield page.items;
    token = page.more;
  } while (token !== null);
}
