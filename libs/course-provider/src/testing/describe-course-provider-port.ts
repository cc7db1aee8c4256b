import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { eventually } from '@registrar/testing';
import { connectCourseProvider } from '../connect-course-provider.ts';
import { type RegistrationQuery } from '../course-provider.ts';
import { CourseProviderError } from '../course-provider-error.ts';
import { type CourseProvider } from '../http-course-provider.ts';

/** A running course provider with an account for the suite. */
export interface ProviderUnderTest {
  readonly baseUrl: string;
  readonly appId: string;
  readonly secretKey: string;
  /** A valid course package. */
  readonly package: Uint8Array;
  /** Sets the account's registration limit to the number of its registrations. */
  closeRegistrations(): Promise<void>;
  stop(): Promise<void>;
}

/** Declares the conformance suite of the course provider port, which every provider must pass. */
export function describeCourseProviderPort(
  name: string,
  start: () => Promise<ProviderUnderTest>,
): void {
  describe(`the course provider port over ${name}`, () => {
    let underTest: ProviderUnderTest;
    let provider: CourseProvider;
    const courseGuid = `course ${randomUUID()}`;

    beforeAll(async () => {
      underTest = await start();
      provider = connectCourseProvider(underTest);
    });
    afterAll(() => underTest?.stop());

    const importPackage = async (
      guid: string,
      bytes = underTest.package,
      options?: Parameters<CourseProvider['importCourse']>[2],
    ) => {
      const pieces = async function* () {
        yield bytes;
      };
      const coursePackage = { bytes: pieces(), length: bytes.length };
      const jobId = await provider.importCourse(guid, coursePackage, options);
      return eventually(`the import of ${guid} ends`, async () => {
        const job = await provider.getImportJob(jobId);
        return job.status !== 'running' && job;
      });
    };
    const learner = {
      id: 'ann@example.com',
      email: 'ann@example.com',
      firstName: 'Ann',
      lastName: 'Àß',
    };
    const register = async (registrationGuid = randomUUID() as string) => {
      await provider.createRegistration({ registrationGuid, courseGuid, learner });
      return registrationGuid;
    };
    const allRegistrations = async (query: Omit<RegistrationQuery, 'crawlType'> = {}) => {
      const found = [];
      for await (const page of provider.listRegistrations({ ...query, crawlType: 'course' })) {
        found.push(...page.map((registration) => registration.registrationGuid));
      }
      return found;
    };
    const faultKind = async (call: Promise<unknown>) => {
      const error: unknown = await call.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      return error instanceof CourseProviderError ? error.fault.kind : error;
    };

    it('responds to ping with its time, and rejects a wrong secret key', async () => {
      expect(Date.parse((await provider.ping()) ?? '')).not.toBeNaN();
      const stranger = connectCourseProvider({ ...underTest, secretKey: 'wrong' });
      expect(await faultKind(stranger.ping())).toBe('unauthorized');
    });

    it('imports a package under the given id, once', async () => {
      expect(await provider.getCourse(courseGuid)).toBeNull();
      expect(await importPackage(courseGuid)).toMatchObject({
        status: 'complete',
        course: { courseGuid },
      });
      expect(await provider.getCourse(courseGuid)).toMatchObject({ courseGuid });
      expect(await faultKind(importPackage(courseGuid))).toBe('refused');
    });

    it('imports a package as a new version when mayCreateNewVersion is true', async () => {
      const before = await provider.getCourse(courseGuid);
      const options = { mayCreateNewVersion: true };
      expect(await importPackage(courseGuid, underTest.package, options)).toMatchObject({
        status: 'complete',
      });
      const after = await provider.getCourse(courseGuid);
      expect(after?.version).toBe((before?.version ?? NaN) + 1);
    });

    it('fails the import of an invalid package, and keeps nothing of it', async () => {
      const guid = randomUUID();
      const outcome = await importPackage(guid, new Uint8Array()).then(
        ({ status, findings }) => {
          expect(findings).toMatchObject([{ severity: 'error', rule: 'zip-unreadable' }]);
          return status;
        },
        (error: CourseProviderError) => error.fault.kind,
      );
      expect(['error', 'refused']).toContain(outcome);
      expect(await provider.getCourse(guid)).toBeNull();
    });

    it('lists the versions of a course, the newest first, and deletes one', async () => {
      const guid = randomUUID();
      await importPackage(guid);
      await importPackage(guid, underTest.package, { mayCreateNewVersion: true });
      const [newest, oldest, ...rest] = await provider.getCourseVersions(guid);
      expect(newest?.version).toBe((oldest?.version ?? NaN) + 1);
      expect([oldest?.registrations, rest]).toEqual([0, []]);
      await provider.deleteCourseVersion(guid, oldest?.version ?? NaN);
      await provider.deleteCourseVersion(guid, oldest?.version ?? NaN);
      expect(await provider.getCourseVersions(guid)).toEqual([newest]);
      expect(await faultKind(provider.getCourseVersions('no course'))).toBe('not-found');
    });

    it('sets the title of a course', async () => {
      const title = 'Title – with “signs”';
      await provider.setCourseTitle(courseGuid, title);
      expect(await provider.getCourse(courseGuid)).toMatchObject({ title });
    });

    it('reads, sets and removes settings of a course, and refuses unknown ones', async () => {
      const id = 'PlayerShowCourseStructure';
      const read = async () =>
        (await provider.getCourseSettings(courseGuid)).find((setting) => setting.id === id);
      expect(await read()).toEqual({ id, value: 'true', source: 'default' });
      await provider.setCourseSettings(courseGuid, { [id]: 'false' });
      expect(await read()).toEqual({ id, value: 'false', source: 'course' });
      await provider.removeCourseSetting(courseGuid, id);
      expect(await read()).toEqual({ id, value: 'true', source: 'default' });
      expect(await faultKind(provider.setCourseSettings(courseGuid, { NoSetting: '1' }))).toBe(
        'refused',
      );
      expect(await faultKind(provider.getCourseSettings('no course'))).toBe('not-found');
    });

    it('creates preview links for known courses only', async () => {
      expect(await provider.createPreviewLink(courseGuid, 60)).toMatch(/^https?:/);
      expect(await faultKind(provider.createPreviewLink('no course', 60))).toBe('not-found');
    });

    it('creates a registration under the given id, once', async () => {
      const registrationGuid = randomUUID();
      expect(await provider.registrationExists(registrationGuid)).toBe(false);
      await register(registrationGuid);
      expect(await provider.registrationExists(registrationGuid)).toBe(true);
      expect(await provider.getRegistration(registrationGuid, 'course')).toMatchObject({
        registrationGuid,
        courseGuid,
        learner,
        completion: 'unknown',
        success: 'unknown',
        score: null,
        totalSeconds: 0,
        completedAt: null,
        activity: null,
      });
      expect(await faultKind(register(registrationGuid))).toBe('refused');
    });

    it('refuses a registration for an unknown course', async () => {
      const registration = { registrationGuid: randomUUID(), courseGuid: 'no course', learner };
      const kind = await faultKind(provider.createRegistration(registration));
      expect(kind).toBe('refused');
      expect(await provider.registrationExists(registration.registrationGuid)).toBe(false);
    });

    it('adds the activity tree to a full result', async () => {
      const result = await provider.getRegistration(await register(), 'full');
      expect(result?.activity).toMatchObject({});
    });

    it('lists registrations by the time of their creation or change', async () => {
      const before = await register();
      const guid = await register();
      const { createdAt } = (await provider.getRegistration(guid, 'course')) ?? {};
      const second = new Date(createdAt ?? '');
      const justAfter = new Date(second.getTime() + 60_000);
      const longBefore = new Date(second.getTime() - 86_400_000);
      expect(await allRegistrations()).toEqual(expect.arrayContaining([before, guid]));
      for (const byUpdated of [false, true]) {
        const list = (since: Date, until: Date) => allRegistrations({ since, until, byUpdated });
        expect(await list(second, justAfter)).toContain(guid);
        expect(await list(longBefore, new Date(second.getTime() - 1))).not.toContain(guid);
        expect(await list(justAfter, new Date(justAfter.getTime() + 1000))).toEqual([]);
      }
    });

    it('lists the oldest registrations first, and counts them on request', async () => {
      await register();
      const first = Date.now();
      await eventually('the next millisecond has begun', () => Date.now() > first);
      const last = await register();
      const listed = await allRegistrations();
      expect(listed.at(-1)).toBe(last);
      const query = { crawlType: 'course' } as const;
      const { total, more } = await provider.getRegistrationPage(
        { ...query, withTotal: true },
        null,
      );
      expect(total).toBe(listed.length);
      expect((await provider.getRegistrationPage(query, more)).total).toBeNull();
    });

    it('lists the registrations of one learner and course', async () => {
      const guid = await register();
      const mine = { courseGuid, learnerId: learner.id };
      expect(await allRegistrations(mine)).toContain(guid);
      expect(await allRegistrations({ ...mine, courseGuid: 'other' })).toEqual([]);
      expect(await allRegistrations({ ...mine, learnerId: 'bob@example.com' })).toEqual([]);
    });

    it('lists courses with their metadata', async () => {
      const courses = [];
      for await (const page of provider.listCourses()) courses.push(...page);
      const course = courses.find((each) => each.courseGuid === courseGuid);
      expect(course?.metadata).toMatchObject({ keywords: expect.any(Array) as unknown });
    });

    it('creates launch links for known registrations only', async () => {
      const options = { expirySeconds: 120, tracking: true };
      const guid = await register();
      for (const redirectUrl of ['https://shop.example/thanks?a=b', null]) {
        const link = await provider.createLaunchLink(guid, { ...options, redirectUrl });
        expect(new URL(link).protocol).toMatch(/^https?:$/);
      }
      const unknown = provider.createLaunchLink(randomUUID(), { ...options, redirectUrl: null });
      expect(await faultKind(unknown)).toBe('not-found');
    });

    it('ends the launches of a registration, and of none', async () => {
      const guid = await register();
      await provider.endLaunches(guid);
      await provider.endLaunches(guid);
      await provider.endLaunches(randomUUID());
      expect(await provider.registrationExists(guid)).toBe(true);
    });

    it('deletes a registration, and accepts a second delete', async () => {
      const guid = await register();
      await provider.deleteRegistration(guid);
      expect(await provider.getRegistration(guid, 'course')).toBeNull();
      await provider.deleteRegistration(guid);
    });

    it('refuses registrations over the limit with error code 4', async () => {
      await underTest.closeRegistrations();
      const error = await register().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'refused-by-provider', detail: { error_code: '4' } });
    });

    it('deletes a course, and accepts a second delete', async () => {
      await provider.deleteCourse(courseGuid);
      expect(await provider.getCourse(courseGuid)).toBeNull();
      await provider.deleteCourse(courseGuid);
    });
  });
}
