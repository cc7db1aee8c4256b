import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handledMessages } from '@registrar/bus/testing';
import * as contracts from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type PartitionScans, partitionTables } from '@registrar/persistence/testing';
import { CopyCourse } from './courses/copy-course.ts';
import { email, scopeOf } from './enrolment.fixture.ts';
import {
  courseGuids,
  customOf,
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations/invitations.fixture.ts';
import { CountRegistrations } from './registrations/count-registrations.ts';
import { DeleteCourseRegistrations } from './registrations/delete-registration.ts';
import { ImportCrawl } from './registrations/import-crawl.ts';
import { RecordCrawls } from './registrations/record-crawls.ts';

/** An application of another realm. Its partition is the first, so that no LIMIT ends a scan before. */
const foreign = 0;
const isForeign = (partition: string) => partition.endsWith(`_${foreign}`);
const learner = 'ada@example.org';
const timestamp = '2026-01-01T00:00:00.000Z';
const firstPage = { cursor: null, limit: 10 };
const later = '2100-01-01T00:00:00.000Z';

/** Requests and events that use none of the tables. */
const withoutTables = [
  contracts.checkStoredQuery,
  contracts.initializeQueries,
  contracts.listInvitationSummaries,
  contracts.listRunnableQueries,
  contracts.listStoredQueries,
  contracts.putStoredQuery,
  contracts.deleteStoredQuery,
  contracts.dropStoredQuery,
  contracts.readQueryResult,
  contracts.realmSwitched,
  contracts.changesCrawled,
];

/**
 * Requests that read all partitions: the operator's list of all applications, and stored queries,
 * because PostgreSQL does not choose partitions by the list in a setting.
 */
const ofAllPartitions = [contracts.listAdoptedRegistrations, contracts.runQuery];

describe('the tables of enrolment, with a partition for each provider application', () => {
  let enrolment: InvitationsFixture;
  let scans: PartitionScans;

  beforeAll(async () => {
    enrolment = await startInvitationsFixture();
    const { database } = enrolment;
    await database.execute(sql`DELETE FROM courses`);
    await copyCourse(1);
    await copyCourse(foreign);
    await enrolment.insert(foreign, 'swimming', learner, 'foreign', { realm_id: 2 });
    scans = await partitionTables(database, {
      context: 'enrolment',
      applicationIds: [foreign, 1, 2],
    });
  });
  afterAll(() => enrolment.stop());

  const scope = scopeOf();
  const stored = async () => (await enrolment.create(learner)).registration_guid;
  const crawl = (registrationGuids: readonly string[]) => ({
    sequence: Date.now(),
    crawledAt: timestamp,
    crawlType: 'full' as const,
    outcomes: registrationGuids.flatMap((registrationGuid) => crawled(registrationGuid)),
    fault: null,
  });
  async function copyCourse(applicationId: number, guids = courseGuids): Promise<void> {
    for (const [index, courseGuid] of guids.entries()) {
      await enrolment.app.get(CopyCourse).copy({
        courseId: 1000 * applicationId + index,
        applicationId,
        courseGuid,
        version: 1,
        title: courseGuid,
        deleted: false,
        keywords: [],
      });
    }
  }

  /** What runs the statements of each request and event, by its name. */
  const operations: Record<string, () => Promise<unknown>> = {
    [contracts.createRegistration.name]: () =>
      enrolment.create(learner, { dontDuplicate: true, checkHosted: true }),
    'create-registration by a learner': () =>
      enrolment.create(learner, { scope: scopeOf({ email: learner }) }),
    [contracts.indexRegistrations.name]: () => enrolment.index({}, { pageSize: 1 }),
    'index-registrations of a learner': () =>
      enrolment.index({ learnerId: learner, courseGuid: 'swimming' }, { lastOnly: true }),
    'index-registrations by an expression': () =>
      enrolment.index({ patterns: { courseGuid: ['^swim'] } }),
    'index-registrations in the order of updates, counted': () =>
      enrolment.bus.page(
        contracts.indexRegistrations,
        {
          scope,
          filters: { updatedSince: timestamp, createdSince: timestamp, complete: 'unknown' },
          lastOnly: false,
          includeInactive: false,
          includeDeleted: true,
          sort: '-updated_at',
        },
        { cursor: null, limit: 10, alone: true, count: true },
      ),
    'index-registrations created since a time': () =>
      enrolment.index({ createdSince: timestamp, success: 'unknown' }, { sort: '-id' }),
    [contracts.findLatestRegistrations.name]: () =>
      enrolment.bus.request(contracts.findLatestRegistrations, {
        scope: scopeOf({ email: learner }),
        courses: [{ applicationId: 1, courseGuid: 'swimming' }],
        cursor: null,
      }),
    [contracts.updateRegistration.name]: async () =>
      enrolment.bus.request(contracts.updateRegistration, {
        scope,
        registrationGuid: await stored(),
        custom: { place: 'pool' },
      }),
    [contracts.mergeRegistrationCustom.name]: async () =>
      enrolment.bus.request(contracts.mergeRegistrationCustom, {
        scope,
        registrationGuid: await stored(),
        key: 'place',
        values: { name: 'pool' },
      }),
    [contracts.recrawlRegistrations.name]: async () => {
      enrolment.crawler.crawl = async ({ registrationGuids }) => crawl(registrationGuids);
      await enrolment.bus.request(contracts.recrawlRegistrations, {
        scope,
        filters: {},
        lastOnly: false,
        which: 'all',
      });
    },
    [contracts.launchRegistration.name]: async () =>
      enrolment.bus.request(contracts.launchRegistration, {
        scope,
        registrationGuid: await stored(),
        review: false,
        redirectUrl: null,
      }),
    'launch-registration of one that is queued': async () => {
      const invitation = await enrolment.createInvitation();
      const address = newLearner();
      await enrolment.add(invitation, [address], { skipExternalInitialization: false });
      const [queued] = await enrolment.registrationsOf(address);
      await enrolment.bus.request(contracts.launchRegistration, {
        scope,
        registrationGuid: queued!.registration_guid,
        review: false,
        redirectUrl: null,
      });
    },
    [contracts.findRegistrationDetails.name]: async () =>
      enrolment.bus.request(contracts.findRegistrationDetails, {
        scope,
        registrationGuid: await stored(),
      }),
    [contracts.countRegistrationsByDay.name]: () =>
      enrolment.bus.request(contracts.countRegistrationsByDay, {
        scope,
        courseGuid: 'swimming',
        since: '2026-01-01',
      }),
    [contracts.deleteRegistration.name]: async () =>
      enrolment.bus.request(contracts.deleteRegistration, {
        scope,
        registrationGuid: await stored(),
      }),

    [contracts.createInvitation.name]: () =>
      enrolment.createLicense(3, { avoidDuplicateRegistrations: true }),
    [contracts.updateInvitation.name]: async () =>
      enrolment.update(await enrolment.createLicense(1), {
        custom: customOf({ sailing: 2 }),
        courseGuids: ['rowing'],
      }),
    [contracts.addLearners.name]: async () => {
      const invitation = await enrolment.createLicense(2, { avoidDuplicateRegistrations: true });
      const addresses = [newLearner(), newLearner()];
      const parts = { nodelay: true, skipExternalInitialization: false };
      await enrolment.add(invitation, addresses, parts);
      await enrolment.add(invitation, [], { unlearners: addresses });
      await enrolment.add(invitation, addresses, parts);
    },
    'add-learners while the provider is unavailable': async () => {
      const invitation = await enrolment.createInvitation();
      enrolment.provider.intercept = () => ({ status: 503 });
      await enrolment.add(invitation, [newLearner()], {
        nodelay: true,
        skipExternalInitialization: false,
      });
      enrolment.provider.intercept = () => undefined;
    },
    [contracts.indexInvitations.name]: () => enrolment.list({}, { pageSize: 1 }),
    [contracts.listInvitationCourses.name]: async () =>
      enrolment.bus.page(
        contracts.listInvitationCourses,
        { scope, invitationId: (await enrolment.createLicense(1)).id },
        firstPage,
      ),
    [contracts.listInvitationLearners.name]: async () => {
      const invitation = await enrolment.createInvitation();
      await enrolment.add(invitation, [newLearner()]);
      const input = { scope, invitationId: invitation.id, learnerId: null };
      await enrolment.bus.page(contracts.listInvitationLearners, input, firstPage);
    },
    [contracts.previewLearners.name]: async () =>
      enrolment.bus.request(contracts.previewLearners, {
        scope,
        invitationId: (await enrolment.createLicense(1)).id,
        learners: [email(learner)],
      }),
    [contracts.deleteInvitation.name]: async () => {
      const invitation = await enrolment.createInvitation();
      await enrolment.add(invitation, [newLearner()]);
      await enrolment.bus.request(contracts.deleteInvitation, { scope, id: invitation.id });
    },

    [contracts.registrationsCrawled.name]: async () =>
      enrolment.app.get(ImportCrawl).import({
        applicationId: 1,
        realmId: 1,
        ...crawl([await stored(), 'found']),
      }),
    [contracts.findChangedResults.name]: async () =>
      enrolment.bus.request(contracts.findChangedResults, {
        applicationId: 1,
        sweep: Date.now(),
        sequence: Date.now(),
        results: [{ registrationGuid: await stored(), digest: '0'.repeat(32) }],
      }),
    [contracts.registrationsSwept.name]: async () => {
      const sweep = { applicationId: 1, sequence: Number.MAX_SAFE_INTEGER, startedAt: later };
      await enrolment.app.get(RecordCrawls).recordSweep(sweep);
      await enrolment.app.get(CountRegistrations).recount(sweep);
    },
    [contracts.courseChanged.name]: async () => {
      await copyCourse(1);
      await enrolment.app.get(DeleteCourseRegistrations).deleteAll({
        courseId: 1,
        applicationId: 1,
        courseGuid: 'swimming',
        title: 'Swimming',
        deleted: true,
        version: 2,
        keywords: [],
        registrationsDeletedAt: later,
      });
    },
  };
  it.each(Object.entries(operations))(
    'the tables of enrolment, with a partition for each provider application keep the partitions of another realm unread by %s',
    async (_name, operate) => {
      await operate();
      const read = await scans.take();
      expect(read).not.toEqual([]);
      expect(read.filter(isForeign)).toEqual([]);
    },
  );

  it('the tables of enrolment, with a partition for each provider application are tested with every request and event that enrolment handles', () => {
    const tested = [
      ...Object.keys(operations),
      ...[...withoutTables, ...ofAllPartitions].map(({ name }) => name),
    ];
    expect(handledMessages('enrolment').filter((name) => !tested.includes(name))).toEqual([]);
  });

  it('the tables of enrolment, with a partition for each provider application are read in all partitions by a statement without the application', async () => {
    await enrolment.database.execute(sql`SELECT FROM registrations CROSS JOIN courses`);
    expect((await scans.take()).filter(isForeign)).toEqual(['courses_0', 'registrations_0']);
  });
});

/** The outcome of a crawl that returned the registration. */
const crawled = (registrationGuid: string): contracts.CrawlOutcome[] => [
  {
    outcome: 'crawled',
    registrationGuid,
    digest: 'd'.repeat(32),
    result: {
      registrationGuid,
      courseGuid: 'swimming',
      courseTitle: 'Swimming',
      courseVersion: 0,
      instance: 0,
      completion: 'incomplete',
      success: 'unknown',
      score: null,
      learner: { id: learner, email: email(learner), firstName: '', lastName: '' },
      totalSeconds: 0,
      attempts: 1,
      activity: null,
      createdAt: timestamp,
      updatedAt: timestamp,
      completedAt: null,
      accessedAt: null,
    },
  },
  { outcome: 'failed', registrationGuid: 'failing', errorCode: '500', errorMessage: 'broken' },
  { outcome: 'deleted', registrationGuid: 'gone' },
];
