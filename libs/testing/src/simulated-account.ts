import { type SimulatedRequest } from './simulated-provider.ts';

export interface SimulatedResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A registration in the provider's API. */
export interface SimulatedRegistration {
  id: string;
  instance: number;
  createdDate: string;
  updated: string;
  registrationCompletion: string;
  registrationSuccess: string;
  score?: { scaled: number };
  totalSecondsTracked: number;
  lastAccessDate?: string;
  hasOpenLaunch?: boolean;
  completedDate?: string;
  course: { id: string; title: string; version: number };
  learner: { id: string; email?: string; firstName: string; lastName: string };
  activityDetails: { id: string; attempts: number };
}

interface SimulatedCourse {
  id: string;
  title: string;
  version: number;
  created: string;
  updated: string;
  packageBytes: number;
}

const empty = { status: 204 };
const errorResponse = (status: number, message: string) => ({ status, body: { message } });

/** What Registrar's own provider shows of a package that it refuses. */
const findingOf = (message: string) => ({
  severity: 'error',
  file: null,
  line: null,
  rule: 'zip-unreadable',
  message,
  remedy: 'Make the zip file again.',
});

/** The account of one application at the simulated provider, with its courses and registrations. */
export class SimulatedAccount {
  readonly secretKey: string;
  readonly courses = new Map<string, SimulatedCourse>();
  /** The versions of the courses, the oldest first. */
  readonly versions = new Map<string, SimulatedCourse[]>();
  readonly registrations = new Map<string, SimulatedRegistration>();
  /** The registrations whose launches were ended, once for each call. */
  readonly endedLaunches: string[] = [];
  registrationLimit = Infinity;
  /**
   * What the token for the next page of registrations holds: the place of the last item (`keyset`), or the number of
   * items before the next page (`offset`), so that it skips one for each that has left them.
   */
  tokens: 'keyset' | 'offset' = 'keyset';
  /** Whether each page of a list of registrations has its number of items, counted again; else only the first page. */
  countsEachPage = false;
  /** Whether it supports postbacks. */
  takesPostbacks = true;
  /** Where results are to be posted, by registration. */
  readonly postbacks = new Map<string, unknown>();
  /** The settings that courses can have, with their defaults. */
  readonly settings = new Map([['PlayerShowCourseStructure', 'true']]);
  /** The settings of courses, by course and name. */
  readonly courseSettings = new Map<string, Map<string, string>>();
  readonly #jobs = new Map<string, { courseId: string; fault: string | null }>();

  constructor(
    readonly appId: string,
    private readonly pageSize: () => number,
  ) {
    this.secretKey = `secret of ${appId}`;
  }

  addCourse(id: string, title = `Title of ${id}`, packageBytes = 0, version = 0): void {
    const now = new Date().toISOString();
    const course = { id, title, version, created: now, updated: now, packageBytes };
    this.courses.set(id, course);
    this.versions.set(id, [...(version > 0 ? (this.versions.get(id) ?? []) : []), course]);
  }

  addRegistration(id: string, courseId: string, learnerId = `${id}@example.com`): void {
    const now = new Date().toISOString();
    this.registrations.set(id, {
      id,
      instance: 0,
      createdDate: now,
      updated: now,
      registrationCompletion: 'UNKNOWN',
      registrationSuccess: 'UNKNOWN',
      totalSecondsTracked: 0,
      course: { id: courseId, title: this.courses.get(courseId)?.title ?? '', version: 0 },
      learner: { id: learnerId, email: learnerId, firstName: 'Ann', lastName: 'Able' },
      activityDetails: { id: 'root', attempts: 1 },
    });
  }

  /** Changes a registration as a learner's attempt would, and sets its time of change to now. */
  change(id: string, changes: Partial<SimulatedRegistration>): void {
    const registration = this.registrations.get(id);
    if (!registration) throw new Error(`no registration ${id}`);
    Object.assign(registration, { updated: new Date().toISOString() }, changes);
  }

  async respond(
    { method, path, query }: SimulatedRequest,
    body: Buffer,
    contentType: string,
  ): Promise<SimulatedResponse> {
    const [collection, id = '', part = '', setting = ''] = path.split('/').map(decodeURIComponent);
    if (id === 'importJobs') {
      return method === 'POST'
        ? this.#importCourse(query, body, contentType)
        : this.#importJob(part);
    }
    switch (`${method} ${[collection, id && ':id', part].filter(Boolean).join('/')}`) {
      case 'GET ping':
        return { status: 200, body: { apiMessage: 'pong', currentTime: new Date().toISOString() } };
      case 'GET registrations':
        return this.#listRegistrations(query);
      case 'POST registrations':
        return this.#createRegistration(body);
      case 'GET registrations/:id':
        return this.#get(this.registrations.get(id), query);
      case 'DELETE registrations/:id':
        return this.registrations.delete(id) ? empty : errorResponse(404, 'no such registration');
      case 'DELETE registrations/:id/launches':
        this.endedLaunches.push(id);
        return empty;
      case 'POST registrations/:id/launchLink':
        return this.#launchLink(this.registrations, id, body);
      case 'POST courses/:id/preview':
        return this.#launchLink(this.courses, id, body);
      case 'GET courses':
        return { status: 200, body: this.#listCourses(query) };
      case 'GET courses/:id': {
        const course = this.courses.get(id);
        return course
          ? { status: 200, body: this.#courseBody(course) }
          : errorResponse(404, 'no such course');
      }
      case 'DELETE courses/:id':
        return this.#deleteCourse(id);
      case 'GET courses/:id/versions':
        return this.courses.has(id)
          ? { status: 200, body: this.#listVersions(id) }
          : errorResponse(404, 'no such course');
      case 'DELETE courses/:id/versions':
        return this.#deleteVersion(id, Number(setting));
      case 'GET courses/:id/configuration':
      case 'POST courses/:id/configuration':
      case 'DELETE courses/:id/configuration':
        return this.#configuration(id, { method, setting, body });
      case 'PUT courses/:id/title':
        return this.#setTitle(id, body);
      default:
        return errorResponse(404, `${method} ${path} means nothing here`);
    }
  }

  #listRegistrations(query: URLSearchParams): SimulatedResponse {
    const { offset, filters } = this.#place(query);
    const isFirst = query.get('more') === null;
    const field = filters.get('datetimeFilter') === 'updated' ? 'updated' : 'createdDate';
    const since = Date.parse(filters.get('since') ?? '1970-01-01');
    const until = Date.parse(filters.get('until') ?? '9999-12-31');
    const listed = [...this.registrations.values()].filter((registration) => {
      const at = Date.parse(registration[field]);
      return (
        at >= since &&
        at <= until &&
        (filters.get('courseId') ?? registration.course.id) === registration.course.id &&
        (filters.get('learnerId') ?? registration.learner.id) === registration.learner.id
      );
    });
    const sortField = filters.get('orderBy') === 'updated_asc' ? 'updated' : 'createdDate';
    const placeOf = (registration: SimulatedRegistration) =>
      `${registration[sortField]} ${registration.id}`;
    const after = filters.get('after') ?? '';
    const found = listed
      .filter((registration) => placeOf(registration) > after)
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const page = found.slice(offset, offset + this.pageSize());
    const last = page.at(-1);
    const rest = new URLSearchParams(filters);
    if (last) rest.set('after', placeOf(last));
    const keysetToken = { more: Buffer.from(rest.toString()).toString('base64url') };
    const isCounted =
      (isFirst || this.countsEachPage) && filters.get('includeTotalCount') === 'true';
    return {
      status: 200,
      ...(isCounted && { headers: { 'x-total-count': String(listed.length) } }),
      body: {
        registrations: page.map((registration) => this.#registrationBody(registration, filters)),
        ...(this.tokens === 'offset'
          ? this.#more(offset, found.length, filters)
          : found.length > page.length && keysetToken),
      },
    };
  }

  #registrationBody(registration: SimulatedRegistration, filters: URLSearchParams): object {
    const { activityDetails } = registration;
    const runtime = filters.get('includeRuntime') === 'true' && { suspendData: 'page=1' };
    return {
      ...registration,
      activityDetails: { ...activityDetails, ...(runtime && { runtime }) },
    };
  }

  #get(registration: SimulatedRegistration | undefined, query: URLSearchParams): SimulatedResponse {
    if (!registration) return errorResponse(404, 'no such registration');
    return { status: 200, body: this.#registrationBody(registration, query) };
  }

  #createRegistration(body: Buffer): SimulatedResponse {
    const wanted = JSON.parse(body.toString('utf8')) as {
      registrationId: string;
      courseId: string;
      learner: SimulatedRegistration['learner'];
      postBack?: unknown;
    };
    if (!this.courses.has(wanted.courseId)) return errorResponse(400, 'The course does not exist.');
    if (wanted.postBack && !this.takesPostbacks) {
      return errorResponse(400, 'postBack: is not supported');
    }
    if (this.registrations.has(wanted.registrationId)) {
      return errorResponse(400, 'The registration id is in use.');
    }
    if (this.registrations.size >= this.registrationLimit) {
      return errorResponse(400, 'The maximum number of registrations has been reached.');
    }
    this.addRegistration(wanted.registrationId, wanted.courseId, wanted.learner.id);
    if (wanted.postBack) this.postbacks.set(wanted.registrationId, wanted.postBack);
    Object.assign(this.registrations.get(wanted.registrationId) ?? {}, { learner: wanted.learner });
    return empty;
  }

  #launchLink(known: ReadonlyMap<string, unknown>, id: string, body: Buffer): SimulatedResponse {
    if (!known.has(id)) return errorResponse(404, 'no such registration or course');
    const link = new URL(`https://player.invalid/${encodeURIComponent(id)}`);
    for (const [name, value] of Object.entries(JSON.parse(body.toString('utf8')) as object)) {
      link.searchParams.set(name, String(value));
    }
    return { status: 200, body: { launchLink: link.href } };
  }

  #listCourses(query: URLSearchParams): object {
    const { offset, filters } = this.#place(query);
    const courses = [...this.courses.values()];
    const page = courses.slice(offset, offset + this.pageSize());
    return {
      courses: page.map((course) => this.#courseBody(course)),
      ...this.#more(offset, courses.length, filters),
    };
  }

  #courseBody({ packageBytes: _, ...course }: SimulatedCourse): object {
    return { ...course, courseLearningStandard: 'SCORM_12', metadata: {} };
  }

  async #importCourse(
    query: URLSearchParams,
    body: Buffer,
    contentType: string,
  ): Promise<SimulatedResponse> {
    const courseId = query.get('courseId') ?? '';
    if (this.courses.has(courseId) && query.get('mayCreateNewVersion') !== 'true') {
      return errorResponse(400, 'The course id is in use.');
    }
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    const file = form.get('file');
    const bytes = file instanceof File ? file.size : 0;
    const jobId = `job-${this.#jobs.size + 1}`;
    this.#jobs.set(jobId, { courseId, fault: bytes > 0 ? null : 'The package is empty.' });
    if (bytes > 0) {
      const version = (this.courses.get(courseId)?.version ?? -1) + 1;
      this.addCourse(courseId, undefined, bytes, version);
    }
    return { status: 200, body: { result: jobId } };
  }

  #importJob(jobId: string): SimulatedResponse {
    const job = this.#jobs.get(jobId);
    if (!job) return errorResponse(404, 'no such job');
    const course = this.courses.get(job.courseId);
    return {
      status: 200,
      body: job.fault
        ? { jobId, status: 'ERROR', message: job.fault, findings: [findingOf(job.fault)] }
        : {
            jobId,
            status: 'COMPLETE',
            message: 'imported',
            importResult: { course: course && this.#courseBody(course) },
          },
    };
  }

  /** Deletes a course with its registrations. */
  #deleteCourse(id: string): SimulatedResponse {
    if (!this.courses.delete(id)) return errorResponse(404, 'no such course');
    for (const registration of this.registrations.values()) {
      if (registration.course.id === id) this.registrations.delete(registration.id);
    }
    return empty;
  }

  #listVersions(id: string): object {
    const registrations = [...this.registrations.values()];
    const countOf = (version: number) =>
      registrations.filter(({ course }) => course.id === id && course.version === version).length;
    const courses = (this.versions.get(id) ?? []).map((course) => ({
      ...this.#courseBody(course),
      registrationCount: countOf(course.version),
    }));
    return { courses };
  }

  /** Deletes a version of a course, which is then the newest of the others. */
  #deleteVersion(id: string, version: number): SimulatedResponse {
    const versions = this.versions.get(id) ?? [];
    const rest = versions.filter((each) => each.version !== version);
    const newest = rest.at(-1);
    if (rest.length === versions.length || !newest) return errorResponse(404, 'no such version');
    this.versions.set(id, rest);
    this.courses.set(id, newest);
    return empty;
  }

  #configuration(
    id: string,
    given: { readonly method: string; readonly setting: string; readonly body: Buffer },
  ): SimulatedResponse {
    if (!this.courses.has(id)) return errorResponse(404, 'no such course');
    const own = this.courseSettings.get(id) ?? new Map<string, string>();
    this.courseSettings.set(id, own);
    if (given.method === 'DELETE') own.delete(given.setting);
    if (given.method === 'POST') {
      const { settings } = JSON.parse(given.body.toString('utf8')) as {
        settings: { settingId: string; value: string }[];
      };
      const unknown = settings.find(({ settingId }) => !this.settings.has(settingId));
      if (unknown) return errorResponse(400, `${unknown.settingId} is not a setting.`);
      for (const { settingId, value } of settings) own.set(settingId, value);
    }
    if (given.method !== 'GET') return empty;
    const settingItems = [...this.settings].map(([settingId, value]) => ({
      id: settingId,
      effectiveValue: own.get(settingId) ?? value,
      effectiveValueSource: own.has(settingId) ? 'course' : 'default',
    }));
    return { status: 200, body: { settingItems } };
  }

  #setTitle(id: string, body: Buffer): SimulatedResponse {
    const course = this.courses.get(id);
    if (!course) return errorResponse(404, 'no such course');
    course.title = (JSON.parse(body.toString('utf8')) as { title: string }).title;
    course.updated = new Date().toISOString();
    return empty;
  }

  /**
   * Decodes a `more` token, which holds the offset and the filters of the first page and must be
   * sent alone.
   */
  #place(query: URLSearchParams): { offset: number; filters: URLSearchParams } {
    const more = query.get('more');
    if (more === null) return { offset: 0, filters: query };
    if (query.size > 1) throw new Error('a more token was not sent alone');
    const filters = new URLSearchParams(Buffer.from(more, 'base64url').toString('utf8'));
    const offset = Number(filters.get('offset'));
    filters.delete('offset');
    return { offset, filters };
  }

  #more(offset: number, count: number, filters: URLSearchParams): { more?: string } {
    const next = offset + this.pageSize();
    if (next >= count) return {};
    const token = `${filters.toString()}&offset=${next}`;
    return { more: Buffer.from(token).toString('base64url') };
  }
}
