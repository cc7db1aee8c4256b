import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  countRegistrationsByDay,
  type CourseRecord,
  deleteCourse,
  deleteCourseVersion,
  indexCourses,
  listCourseVersions,
  listProviderApplicationSummaries,
  previewCourse,
  readCourseSettings,
} from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import { sailing } from './courses.fixture.ts';

const application = {
  id: 1,
  name: 'Main',
  sc_app_id: 'app-1',
  url: 'https://provider.example',
  realm_id: 1,
  realm_guid: ownRealm,
  created_at: '2026-03-01T00:00:00Z',
  updated_at: '2026-03-01T00:00:00Z',
};

let console: ConsoleFixture;
let stored: CourseRecord[] = [];
const asked = {
  index: [] as InputOf<typeof indexCourses>[],
  preview: [] as InputOf<typeof previewCourse>[],
  delete: [] as InputOf<typeof deleteCourse>[],
  deleteVersion: [] as InputOf<typeof deleteCourseVersion>[],
  use: [] as InputOf<typeof countRegistrationsByDay>[],
  applications: [] as InputOf<typeof listProviderApplicationSummaries>[],
  settings: [] as InputOf<typeof readCourseSettings>[],
};
const versions = [{ version: 1, title: 'Sailing', created_at: null, registrations: 2 }];
const days = [{ day: '2026-03-01', registrations: 2 }];
const settings = [{ id: 'PlayerLaunchType', value: 'frame', source: 'default' }];

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      identity: [
        stubReply(listProviderApplicationSummaries, async (input) => {
          asked.applications.push(input);
          return { items: [application], next: null };
        }),
      ],
      catalog: [
        stubReply(indexCourses, async (input) => {
          asked.index.push(input);
          return { items: stored, next: stored.length > 1 ? 'more' : null };
        }),
        stubReply(readCourseSettings, async (input) => {
          asked.settings.push(input);
          return { settings };
        }),
        stubReply(previewCourse, async (input) => {
          asked.preview.push(input);
          return { url: 'https://provider.example/preview' };
        }),
        stubReply(deleteCourse, async (input) => {
          asked.delete.push(input);
          return sailing;
        }),
        stubReply(listCourseVersions, async () => ({ versions })),
        stubReply(deleteCourseVersion, async (input) => {
          asked.deleteVersion.push(input);
          return sailing;
        }),
      ],
      enrolment: [
        stubReply(countRegistrationsByDay, async (input) => {
          asked.use.push(input);
          return { days };
        }),
      ],
    },
  });
});
beforeEach(() => {
  stored = [sailing];
  for (const requests of Object.values(asked)) requests.length = 0;
});
afterAll(() => console.stop());

const call: ConsoleFixture['callInOwnRealm'] = (...given) => console.callInOwnRealm(...given);

describe('the list of courses', () => {
  it('the list has a part of the title in any case, the GUID and pages, and leaves out long texts', async () => {
    stored = [sailing, { ...sailing, id: 2 }];
    const input = { title: 'C++ (new)', course: 'sailing', cursor: 'c', limit: 20 };
    const { body } = await call('courses.list', input);
    expect(body).toMatchObject({ next: 'more', items: [{ id: 1, versions: 2 }, { id: 2 }] });
    const [first] = body['items'] as object[];
    for (const key of ['custom', 'metadata', 'warnings']) expect(first).not.toHaveProperty(key);
    const title = String.raw`(?i)C\+\+ \(new\)`;
    expect(asked.index).toMatchObject([
      {
        scope: { mode: 'realm', permissions: ['read'] },
        filters: { courseGuid: 'sailing', patterns: { title: [title] } },
        cursor: 'c',
        limit: 20,
      },
    ]);
    expect(asked.index[0]?.count).toBeUndefined();
  });
});

describe('the provider applications for courses', () => {
  it('an author sees the names of those of the realm, and a reader does not', async () => {
    const { body } = await call('courses.list-applications', {}, 'author');
    expect(body).toEqual({ items: [{ id: 1, name: 'Main' }] });
    expect(asked.applications).toMatchObject([{ realmGuid: ownRealm, cursor: null, limit: 200 }]);
    expect(await call('courses.list-applications', {})).toMatchObject({ status: 403 });
  });
});

describe('a course', () => {
  it('a course is shown by its GUID', async () => {
    const { metadata: _, ...record } = sailing;
    expect((await call('courses.show', { course: 'sailing' })).body).toEqual({
      ...record,
      described: { description: 'On the sea', duration: '', typicaltime: '', keywords: [] },
    });
    expect(asked.index).toMatchObject([{ filters: { courseGuid: 'sailing' } }]);
  });

  it('a course is not found where no provider application has it, or several', async () => {
    for (const found of [[], [sailing, { ...sailing, id: 2 }]]) {
      stored = found;
      expect(await call('courses.show', { course: 'sailing' })).toMatchObject({ status: 404 });
    }
  });

  it('settings, versions, preview and delete are refused to a reader', async () => {
    const names = ['show-settings', 'list-versions', 'preview', 'delete', 'delete-version'];
    for (const name of names) {
      const input = { course: 'sailing', ...(name === 'delete-version' && { version: 1 }) };
      expect(await call(`courses.${name}`, input)).toMatchObject({ status: 403 });
    }
    const { settings: read, preview, delete: deleted, deleteVersion } = asked;
    expect([...read, ...preview, ...deleted, ...deleteVersion]).toEqual([]);
  });

  it('an author sees the settings of a course', async () => {
    const { body } = await call('courses.show-settings', { course: 'sailing' }, 'author');
    expect(body).toEqual({ settings });
  });

  it('a reader sees the registrations of a course on each of the last 90 days', async () => {
    const { body } = await call('courses.show-use', { course: 'sailing' });
    const until = new Date().toISOString().slice(0, 10);
    const since = new Date(Date.parse(until) - 89 * 86_400_000).toISOString().slice(0, 10);
    expect(body).toEqual({ since, until, days });
    expect(asked.use).toMatchObject([{ courseGuid: 'sailing', since, scope: { mode: 'realm' } }]);
  });

  it('an author lists the versions of a course, and deletes one', async () => {
    const listed = await call('courses.list-versions', { course: 'sailing' }, 'author');
    expect(listed.body).toEqual({ versions });
    const input = { course: 'sailing', version: 1 };
    expect((await call('courses.delete-version', input, 'author')).status).toBe(200);
    expect(asked.deleteVersion).toMatchObject([{ courseGuid: 'sailing', version: 1 }]);
  });

  it('a preview is a link for an author', async () => {
    const { body } = await call('courses.preview', { course: 'sailing' }, 'author');
    expect(body).toEqual({ url: 'https://provider.example/preview' });
    expect(asked.preview).toMatchObject([
      { courseGuid: 'sailing', scope: { permissions: ['read', 'write', 'launch'] } },
    ]);
  });

  it('an author deletes the one course', async () => {
    const { body } = await call('courses.delete', { course: 'sailing' }, 'author');
    expect(body).toEqual({ title: 'Sailing' });
    expect(asked.delete).toMatchObject([{ courseGuid: 'sailing' }]);
  });
});
