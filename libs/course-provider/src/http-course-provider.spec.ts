import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure, maxCourseSettings, maxSettingLength } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { type SimulatedAccount, SimulatedProvider } from '@registrar/testing';
import { connectCourseProvider } from './connect-course-provider.ts';
import { CourseProviderError } from './course-provider-error.ts';
import { type CourseProvider } from './http-course-provider.ts';

let simulated: SimulatedProvider;
let account: SimulatedAccount;
let provider: CourseProvider;

beforeEach(async () => {
  simulated = await SimulatedProvider.start();
  account = simulated.addAccount('app');
  account.addCourse('course');
  provider = connect();
});
afterEach(() => simulated.stop());

const connect = (changes: Partial<Parameters<typeof connectCourseProvider>[0]> = {}) =>
  connectCourseProvider({
    baseUrl: simulated.url,
    appId: account.appId,
    secretKey: account.secretKey,
    ...changes,
  });
/** A package of so many bytes, made while it is read. */
async function* packageOf(length: number): AsyncGenerator<Uint8Array> {
  const piece = 65_536;
  for (let sent = 0; sent < length; sent += piece) {
    yield new Uint8Array(Math.min(piece, length - sent));
  }
}

const faultOf = async (call: Promise<unknown>): Promise<CourseProviderError> => {
  const error: unknown = await call.then(
    () => new Error('the call did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CourseProviderError) return error;
  throw error;
};
const within = <T>(milliseconds: number, work: () => Promise<T>): Promise<T> =>
  runInRequestContext({ requestId: 'test', deadline: clock.now() + milliseconds }, work);

describe('HttpCourseProvider', () => {
  it('masks the passwords among the settings of a course', async () => {
    const id = 'ApiRollupRegistrationAuthPassword';
    const settingItems = ['secret', ''].map((effectiveValue) => ({ id, effectiveValue }));
    simulated.intercept = () => ({ status: 200, body: { settingItems } });
    expect((await provider.getCourseSettings('course')).map(({ value }) => value)).toEqual([
      '********',
      '',
    ]);
  });

  it('cuts long values of settings, and refuses more settings than a course can have', async () => {
    const setting = { id: 'Setting', effectiveValue: 'v'.repeat(maxSettingLength + 1) };
    let settingItems = [setting];
    simulated.intercept = () => ({ status: 200, body: { settingItems } });
    expect(await provider.getCourseSettings('course')).toEqual([
      { id: 'Setting', value: `${'v'.repeat(maxSettingLength - 1)}…`, source: 'default' },
    ]);
    settingItems = Array.from({ length: maxCourseSettings + 1 }, () => setting);
    await expect(provider.getCourseSettings('course')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('settingItems'),
    });
  });

  it('requests the next page with `more` as the only parameter', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) account.addRegistration(id, 'course');
    simulated.pageSize = 2;
    const pages = [];
    for await (const page of provider.listRegistrations({ crawlType: 'course' })) {
      pages.push(page.map((registration) => registration.registrationGuid));
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(simulated.requests.map(({ query }) => [...query.keys()])).toEqual([
      ['orderBy'],
      ['more'],
      ['more'],
    ]);
  });

  it('fails when the token for the next page is that of the page before', async () => {
    const lists = { registrations: [], courses: [], more: 'again' };
    simulated.intercept = () => ({ status: 200, body: lists });
    const { fault } = await faultOf(provider.getRegistrationPage({ crawlType: 'course' }, 'again'));
    expect(fault).toMatchObject({
      kind: 'unavailable',
      providerMessage: expect.stringMatching('more'),
    });
    const courses = provider.getCoursePage('again');
    expect((await faultOf(courses)).fault.kind).toBe('unavailable');
  });

  it('requests a page only when it is consumed', async () => {
    for (const id of ['a', 'b', 'c']) account.addRegistration(id, 'course');
    simulated.pageSize = 1;
    for await (const _page of provider.listRegistrations({ crawlType: 'course' })) break;
    expect(simulated.requests).toHaveLength(1);
  });

  it('sends the time range, the filters and the options of a full result', async () => {
    const since = new Date('2026-01-02T03:04:05.678Z');
    const query = { since, byUpdated: true, courseGuid: 'course', learnerId: 'a@b.example' };
    await provider.getRegistrationPage({ ...query, crawlType: 'full' }, null);
    expect(Object.fromEntries(simulated.requests[0]?.query ?? [])).toEqual({
      courseId: 'course',
      learnerId: 'a@b.example',
      since: '2026-01-02T03:04:05.678Z',
      datetimeFilter: 'updated',
      orderBy: 'updated_asc',
      includeChildResults: 'true',
      includeInteractionsAndObjectives: 'true',
      includeRuntime: 'true',
    });
  });

  it('encodes ids, so that no id addresses another path', async () => {
    for (const id of ['a/b', 'a b?c=d#e', '%2e%2e', 'ü€𝄞']) {
      account.addRegistration(id, 'course');
      expect(await provider.getRegistration(id, 'course')).toMatchObject({ registrationGuid: id });
    }
    expect(await provider.getRegistration('..', 'course')).toBeNull();
    expect(await provider.getRegistration('.', 'course')).toBeNull();
    expect(simulated.requests).toHaveLength(4);
  });

  it('tells the provider where to post results, with credentials for Basic authentication', async () => {
    account.addCourse('course');
    const learner = { id: 'a', email: 'a@example.com', firstName: '', lastName: '' };
    const postback = {
      url: 'http://gateway:8080/postbacks/1',
      userName: 'postback',
      password: 'secret',
    };
    await provider.createRegistration({
      registrationGuid: 'with',
      courseGuid: 'course',
      learner,
      postback,
    });
    await provider.createRegistration({
      registrationGuid: 'without',
      courseGuid: 'course',
      learner,
    });
    expect(Object.fromEntries(account.postbacks)).toEqual({
      with: { ...postback, authType: 'HTTPBASIC', resultsFormat: 'COURSE' },
    });
  });

  it('creates a registration without postbacks where the provider refuses these', async () => {
    account.addCourse('course');
    account.takesPostbacks = false;
    const learner = { id: 'a', email: 'a@example.com', firstName: '', lastName: '' };
    const postback = {
      url: 'http://gateway:8080/postbacks/1',
      userName: 'postback',
      password: 'secret',
    };
    const create = () =>
      provider.createRegistration({
        registrationGuid: 'a',
        courseGuid: 'course',
        learner,
        postback,
      });
    await create();
    expect([...account.registrations.keys()]).toEqual(['a']);
    account.takesPostbacks = true;
    await expect(create()).rejects.toMatchObject({ fault: { kind: 'refused' } });
  });

  it('removes characters that PostgreSQL cannot store', async () => {
    account.addRegistration('a', 'course');
    const learner = { id: 'a\0b', firstName: '\ud800 A \u{1f600}', lastName: '\\u0000' };
    account.change('a', { learner });
    expect(await provider.getRegistration('a', 'course')).toMatchObject({
      learner: { id: 'ab', firstName: '\ufffd A \u{1f600}', lastName: '\\u0000' },
    });
  });

  it('streams a package of known and of unknown length', async () => {
    const length = 2_500_000;
    const jobs = [
      await provider.importCourse('known', { bytes: packageOf(length), length }),
      await provider.importCourse('unknown', { bytes: packageOf(length) }),
    ];
    expect(account.courses.get('known')?.packageBytes).toBe(length);
    expect(account.courses.get('unknown')?.packageBytes).toBe(length);
    expect(await provider.getImportJob(jobs[1] ?? '')).toMatchObject({
      status: 'complete',
      course: { courseGuid: 'unknown' },
    });
  });

  it("throws the package stream's own error", async () => {
    const bytes = async function* () {
      yield new Uint8Array(10);
      throw new Failure('expired', 'the database stopped a statement');
    };
    const failing = provider.importCourse('course-2', { bytes: bytes() });
    await expect(failing).rejects.toMatchObject({ code: 'expired' });
    expect(await failing.catch((error: unknown) => error)).not.toBeInstanceOf(CourseProviderError);
  });
});

describe('a failed call of HttpCourseProvider', () => {
  it('a failed call of HttpCourseProvider has the body of the 403 response as detail, without credentials and query', async () => {
    const error = await faultOf(
      connect({ baseUrl: simulated.url.replace('//', '//user:hidden@') }).importCourse('course', {
        bytes: packageOf(10),
      }),
    );
    expect(error).toMatchObject({
      code: 'refused-by-provider',
      fault: { kind: 'refused', providerCode: '400' },
      detail: {
        error_code: '400',
        error_message: 'The course id is in use.',
        error_url: `${simulated.url}/api/v2/courses/importJobs/upload`,
      },
    });
  });

  it('a failed call of HttpCourseProvider is a refusal when a create names a course that the provider does not hold', async () => {
    simulated.intercept = () => ({ status: 404, body: { message: 'There is no such course.' } });
    const learner = { id: 'a', email: 'a@b.example', firstName: 'A', lastName: 'B' };
    const names = { registrationGuid: 'r', courseGuid: 'withdrawn', learner };
    expect(await faultOf(provider.createRegistration(names))).toMatchObject({
      code: 'refused-by-provider',
      detail: { error_code: '404', error_message: 'There is no such course.' },
    });
  });

  it('a failed call of HttpCourseProvider has error code 4 when the registration limit is reached', async () => {
    account.registrationLimit = 0;
    const learner = { id: 'a', email: 'a@b.example', firstName: 'A', lastName: 'B' };
    const create = provider.createRegistration({
      registrationGuid: 'r',
      courseGuid: 'course',
      learner,
    });
    expect((await faultOf(create)).detail).toMatchObject({
      error_code: '4',
      error_message: 'The maximum number of registrations has been reached.',
    });
  });

  it('a failed call of HttpCourseProvider is `unauthorized` for wrong credentials, and contains no secret', async () => {
    const error = await faultOf(connect({ secretKey: 'hunter2' }).ping());
    expect(error).toMatchObject({
      code: 'refused-by-provider',
      fault: { kind: 'unauthorized' },
      detail: { error_code: '401' },
    });
    expect(error.message).toBe(
      `course provider, GET ${simulated.url}/api/v2/ping: 401 Unauthorized`,
    );
  });

  it("means a missing registration only when the 404 is the provider's own", async () => {
    expect(await provider.getRegistration('unknown', 'course')).toBeNull();
    await provider.deleteRegistration('unknown');
    const elsewhere = connect({ baseUrl: `${simulated.url}/elsewhere` });
    simulated.intercept = ({ path }) =>
      path.startsWith('/elsewhere') ? { status: 404 } : undefined;
    expect(await faultOf(elsewhere.getRegistration('unknown', 'course'))).toMatchObject({
      code: 'unavailable',
    });
    expect(await faultOf(elsewhere.deleteRegistration('unknown'))).toMatchObject({
      code: 'unavailable',
    });
  });

  it('contains the seconds of Retry-After', async () => {
    simulated.intercept = () => ({ status: 429, headers: { 'retry-after': '7' } });
    expect(await faultOf(provider.ping())).toMatchObject({
      code: 'overloaded',
      fault: { kind: 'throttled', retryAfter: 7 },
    });
    expect(simulated.requests).toHaveLength(1);
  });

  it.each([
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.invalid/' } }],
    ['a failure', { status: 500, body: { message: 'broken' } }],
    ['a body that does not match the API', { status: 200, body: { registrations: 'none' } }],
    ['an empty body', { status: 200 }],
  ])(
    'a failed call of HttpCourseProvider is `unavailable` after one attempt for %s',
    async (_name, answer) => {
      simulated.intercept = () => answer;
      const error = await faultOf(provider.getRegistrationPage({ crawlType: 'course' }, null));
      expect(error.code).toBe('unavailable');
      expect(simulated.requests).toHaveLength(1);
    },
  );

  it('a failed call of HttpCourseProvider is repeated until the provider recovers', async () => {
    const faults = ['drop', { status: 503 }] as const;
    simulated.intercept = () => faults[simulated.requests.length - 1];
    expect(await provider.registrationExists('unknown')).toBe(false);
    expect(simulated.requests).toHaveLength(3);
  });

  it('a failed call of HttpCourseProvider is thrown after three attempts', async () => {
    simulated.intercept = () => 'drop';
    expect(await faultOf(provider.ping())).toMatchObject({ code: 'unavailable' });
    expect(simulated.requests).toHaveLength(3);
  });

  it('a failed call of HttpCourseProvider is repeated for idempotent calls only', async () => {
    simulated.intercept = () => 'drop';
    await faultOf(provider.setCourseTitle('course', 'New'));
    await faultOf(provider.deleteCourse('course'));
    await faultOf(
      provider.createLaunchLink('r', { expirySeconds: 60, redirectUrl: null, tracking: true }),
    );
    const learner = { id: 'a@b.example', email: 'a@b.example', firstName: 'A', lastName: 'B' };
    await faultOf(
      provider.createRegistration({ registrationGuid: 'r', courseGuid: 'course', learner }),
    );
    expect(simulated.requests.map(({ method }) => method)).toEqual([
      ...['PUT', 'PUT', 'PUT', 'DELETE', 'DELETE', 'DELETE'],
      ...['POST', 'POST', 'POST', 'POST'],
    ]);
  });

  it('a failed call of HttpCourseProvider is `unavailable` when no server listens', async () => {
    const closed = await SimulatedProvider.start();
    const baseUrl = closed.url;
    await closed.stop();
    expect(await faultOf(connect({ baseUrl }).ping())).toMatchObject({
      code: 'unavailable',
      fault: { providerCode: 'ECONNREFUSED' },
    });
  });

  it('a failed call of HttpCourseProvider is `expired` at the deadline while the provider does not respond', async () => {
    const arrived = Promise.withResolvers<void>();
    simulated.intercept = () => {
      arrived.resolve();
      return new Promise(() => undefined);
    };
    const ping = faultOf(within(60_000, () => provider.ping()));
    await arrived.promise;
    clock.step(60_000);
    const error = await ping;
    expect(error).toMatchObject({ code: 'expired', fault: { kind: 'timeout' } });
    expect(simulated.requests).toHaveLength(1);
    await expect(within(-1, () => provider.ping())).rejects.toMatchObject({ code: 'expired' });
    expect(simulated.requests).toHaveLength(1);
  });
});
