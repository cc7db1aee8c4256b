import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  addLearners,
  listAuditEntries,
  listInvitationCourses,
  listInvitationLearners,
  listInvitationSummaries,
  previewLearners,
} from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';

let console: ConsoleFixture;
const asked = {
  summaries: [] as InputOf<typeof listInvitationSummaries>[],
  learners: [] as InputOf<typeof listInvitationLearners>[],
  audit: [] as InputOf<typeof listAuditEntries>[],
  preview: [] as InputOf<typeof previewLearners>[],
  add: [] as InputOf<typeof addLearners>[],
};
const summary = {
  id: 7,
  name: 'Sailors',
  description: null,
  enabled: true,
  license: true,
  avoid_duplicate_registrations: false,
  no_updates_allowed: false,
  courses: 1,
  learners: 2,
  seats: { free: 1, taken: 2 },
  created_at: '2026-03-01T00:00:00Z',
  updated_at: '2026-03-01T00:00:00Z',
};
let found = [summary];
let closed: 'disabled' | null = null;
const nothing = {
  created: 0,
  assigned: 0,
  without_seat: [],
  without_seat_count: 0,
  deleted_courses: [],
  deleted_courses_count: 0,
};

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      identity: [
        stubReply(listAuditEntries, async (input) => {
          asked.audit.push(input);
          return { items: [], next: null };
        }),
      ],
      enrolment: [
        stubReply(listInvitationSummaries, async (input) => {
          asked.summaries.push(input);
          return { items: found, next: null };
        }),
        stubReply(listInvitationCourses, async () => ({ items: [], next: null })),
        stubReply(listInvitationLearners, async (input) => {
          asked.learners.push(input);
          return { items: [], next: null };
        }),
        stubReply(previewLearners, async (input) => {
          asked.preview.push(input);
          return {
            name: summary.name,
            closed,
            learners: [
              { ...nothing, learner_id: 'Ann@example.com', member: false, created: 1 },
              { ...nothing, learner_id: 'bob@example.com', member: true },
              { ...nothing, learner_id: 'cem@example.com', member: true, assigned: 1 },
              {
                ...nothing,
                learner_id: 'dee@example.com',
                member: false,
                without_seat: [{ course_guid: 'sailing', title: 'Sailing' }],
                without_seat_count: 1,
              },
            ],
            seats: [{ course_guid: 'sailing', title: 'Sailing', free: 1, change: -1 }],
          };
        }),
        stubReply(addLearners, async (input) => {
          asked.add.push(input);
          return {
            record: {
              ...summary,
              custom: null,
              course_guids: [],
              learners: [],
              registration_guids: [],
              realm_id: 1,
              invitation_template_id: null,
            },
            registrationGuids: {},
            messages: ['Success!'],
          };
        }),
      ],
    },
  });
});
beforeEach(() => {
  [found, closed] = [[summary], null];
  for (const requests of Object.values(asked)) requests.length = 0;
});
afterAll(() => console.stop());

const call: ConsoleFixture['callInOwnRealm'] = (...given) => console.callInOwnRealm(...given);

describe('the invitations of a realm', () => {
  it('invitations are listed by name, page by page', async () => {
    const { body } = await call('invitations.list', { name: 'Sailors', cursor: 'c', limit: 20 });
    expect(body).toEqual({ items: [summary], next: null });
    expect(asked.summaries).toMatchObject([
      { filters: { name: 'Sailors' }, cursor: 'c', limit: 20, scope: { permissions: ['read'] } },
    ]);
  });

  it('one of them is shown by its id, and another is not found', async () => {
    expect((await call('invitations.show', { invitation: 7 })).body).toEqual(summary);
    found = [];
    expect(await call('invitations.show', { invitation: 8 })).toMatchObject({ status: 404 });
  });

  it('the learners of one are found by their address', async () => {
    await call('invitations.list-learners', { invitation: 7, learner: 'ann@example.com' });
    expect(asked.learners).toMatchObject([{ invitationId: 7, learnerId: 'ann@example.com' }]);
  });

  it('the acts of one come from the audit log of the realm, the newest first', async () => {
    await call('invitations.list-acts', { invitation: 7 });
    expect(asked.audit).toMatchObject([
      { realmGuid: ownRealm, invitationId: 7, newestFirst: true },
    ]);
  });

  it('the audit log is not asked about an invitation of another realm', async () => {
    found = [];
    expect(await call('invitations.list-acts', { invitation: 7 })).toMatchObject({ status: 404 });
    expect(asked.audit).toEqual([]);
  });
});

describe('the preview of added learners', () => {
  const rows = [
    'Ann@example.com ',
    'no address',
    'ann@example.com',
    'bob@example.com',
    'cem@example.com',
    'dee@example.com',
  ];

  it('says for each row what it would do', async () => {
    const input = { invitation: 7, learners: rows };
    const { body } = await call('invitations.preview-learners', input, 'administrator');
    expect(asked.preview[0]?.learners).toHaveLength(5);
    const none = {
      created: 0,
      assigned: 0,
      withoutSeat: [],
      withoutSeatCount: 0,
      deletedCourses: [],
      deletedCoursesCount: 0,
    };
    expect(body).toEqual({
      closed: null,
      items: [
        { ...none, learner: rows[0], outcome: 'joins', created: 1 },
        { ...none, learner: rows[1], outcome: 'malformed' },
        { ...none, learner: rows[2], outcome: 'repeated' },
        { ...none, learner: rows[3], outcome: 'member' },
        { ...none, learner: rows[4], outcome: 'completed', assigned: 1 },
        {
          ...none,
          learner: rows[5],
          outcome: 'joins',
          withoutSeat: ['Sailing'],
          withoutSeatCount: 1,
        },
      ],
      seats: [{ course_guid: 'sailing', title: 'Sailing', free: 1, change: -1 }],
    });
    expect(asked.add).toEqual([]);
  });

  it('shows no rows of a closed invitation', async () => {
    closed = 'disabled';
    const input = { invitation: 7, learners: rows };
    const { body } = await call('invitations.preview-learners', input, 'administrator');
    expect(body).toMatchObject({ closed: 'disabled', items: [] });
  });

  it('takes 1,000 rows at most', async () => {
    const learners = Array.from({ length: 1_001 }, (_, n) => `learner-${n}@example.com`);
    const input = { invitation: 7, learners };
    const { status } = await call('invitations.preview-learners', input, 'administrator');
    expect(status).toBe(400);
  });
});

describe('adding learners', () => {
  it('adds them to the invitation of the id, and creates registrations soon after', async () => {
    const learners = ['ann@example.com', 'bob@example.com'];
    const input = { invitation: 7, learners };
    const { body } = await call('invitations.add-learners', input, 'administrator');
    expect(body).toEqual({ messages: ['Success!'] });
    expect(asked.add).toMatchObject([
      {
        name: 'Sailors',
        learners,
        unlearners: [],
        nodelay: false,
        skipExternalInitialization: false,
      },
    ]);
  });

  it.each(['reader', 'author'] as const)(
    'adding and its preview are refused to the role %s',
    async (role) => {
      const input = { invitation: 7, learners: ['ann@example.com'] };
      for (const name of ['invitations.add-learners', 'invitations.preview-learners']) {
        expect(await call(name, input, role)).toMatchObject({ status: 403 });
      }
      expect(asked.add).toEqual([]);
    },
  );
});
