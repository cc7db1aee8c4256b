import { beforeAll, describe, expect, it } from 'vitest';
import { arrivedEvents } from '@registrar/bus/testing';
import { registrationCreated, registrationLaunched } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type PartitionScans, partitionTables, useDatabase } from '@registrar/persistence/testing';
import { crawlerSchema } from '../schema.ts';
import { type CrawlSettings } from '../settings.ts';
import { DueRegistrations } from './due-registrations.ts';
import { ScheduleRegistration } from './schedule-registration.ts';

const settings = { CRAWL_INTERVAL_SECONDS: 30 } as CrawlSettings;
const applicationId = 2;
const registrationGuid = 'r-1';
const event = { applicationId, registrationGuid, courseGuid: 'c', at: '2026-01-01T00:00:00.000Z' };
const policy = { intervalSeconds: 30, crawlType: 'course' } as const;

describe('the table due_registrations, with a partition for each provider application', () => {
  const database = useDatabase(crawlerSchema);
  let due: DueRegistrations;
  let schedule: ScheduleRegistration;
  let scans: PartitionScans;

  beforeAll(async () => {
    due = new DueRegistrations(database());
    schedule = new ScheduleRegistration(settings);
    await due.scheduleNow(1, [registrationGuid]);
    scans = await partitionTables(database(), { context: 'crawler', applicationIds: [1, 2] });
  });

  const operations: Record<string, () => Promise<unknown>> = {
    'schedule crawls after creates': () =>
      schedule.scheduleAfterCreate(arrivedEvents(database(), registrationCreated, [event])),
    'schedule crawls after launches': () =>
      schedule.scheduleAfterLaunch(arrivedEvents(database(), registrationLaunched, [event])),
    'schedule crawls at once': () => due.scheduleNow(applicationId, [registrationGuid]),
    'find due registrations': () => due.findDue(applicationId, 10),
    'postpone crawls': () =>
      due.postpone(applicationId, [{ registrationGuid, complete: false }], policy, new Date()),
    'reschedule crawls': async () => {
      const claimed = await due.findDue(applicationId, 10);
      const crawled = claimed.map((each) => ({ ...each, complete: true }));
      await due.reschedule(applicationId, crawled, policy);
    },
  };

  it.each(Object.entries(operations))(
    'keeps the partition of another application unread by statements that %s',
    async (_name, operate) => {
      await operate();
      expect(await scans.take()).toEqual(['due_registrations_2']);
    },
  );

  it('the table due_registrations, with a partition for each provider application is read in all partitions by a statement without the application', async () => {
    await database().execute(sql`SELECT FROM due_registrations`);
    expect(await scans.take()).toEqual([
      ...['due_registrations_1', 'due_registrations_2', 'due_registrations_default'],
    ]);
  });
});
