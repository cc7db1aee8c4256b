import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';
import { applicationAsOwner } from './package-owner.ts';
import { UploadSpace } from './upload-space.ts';

describe('the import queue', () => {
  let fixture: ProviderFixture;
  let client: Client;
  let application: { readonly id: number };

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
    application = await fixture.database.one(
      z.object({ id: z.number() }),
      sql`SELECT id FROM applications WHERE app_id = ${client.appId}`,
    );
  });
  afterAll(() => fixture?.stop());

  const statusOf = async (jobId: string) => {
    const { status, message } = await client.importJob(jobId);
    return [status, message];
  };

  /** While `work` runs, imports of this course wait for a transaction that has inserted it. */
  const whileBlocked = (courseId: string, work: () => Promise<void>) =>
    fixture.database
      .transaction(async () => {
        await fixture.database.execute(
          sql`INSERT INTO courses (application_id, course_id, title)
              VALUES (${application.id}, ${courseId}, ${courseId})`,
        );
        await fixture.database.outsideTransaction(work);
        throw new Error('undo');
      })
      .catch((error: Error) => expect(error.message).toBe('undo'));

  it('finishes running imports on shutdown, and fails waiting ones', async () => {
    const replica = await fixture.replica();
    const there = client.at(replica.url);
    const zip = await smallestPackage();
    const may = { mayCreateNewVersion: 'true' };
    const jobs: string[] = [];
    let stopped: Promise<void> | undefined;
    await whileBlocked('held-up', async () => {
      for (let n = 0; n < 2; n += 1)
        jobs.push((await there.upload('held-up', zip, may)).body.result);
      stopped = replica.stop();
      const waiting = jobs[1] ?? '';
      await client.importEnd(waiting);
      expect(await statusOf(waiting)).toEqual([
        'ERROR',
        'The provider stopped before the import. Upload it again.',
      ]);
      expect((await statusOf(jobs[0] ?? ''))[0]).toBe('RUNNING');
    });
    await stopped;
    expect((await statusOf(jobs[0] ?? ''))[0]).toBe('COMPLETE');
    expect((await client.get('courses/held-up/versions')).body).toMatchObject({
      courses: [{ version: 0 }],
    });
  });

  it('returns 429 for an upload of an application that has half of the places, and imports those of others', async () => {
    const zip = await smallestPackage();
    const may = { mayCreateNewVersion: 'true' };
    const other = await fixture.client();
    const jobs: string[] = [];
    await whileBlocked('full', async () => {
      for (let n = 0; n < 24; n += 1)
        jobs.push((await client.upload('full', zip, may)).body.result);
      const refused = await client.upload('full', zip, may);
      expect(refused).toMatchObject({
        status: 429,
        body: {
          message: 'Too many packages of the application wait. Try again later.',
        },
      });
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(await other.import('full', zip)).toMatchObject({ status: 'COMPLETE' });
      expect((await statusOf(jobs[0] ?? ''))[0]).toBe('RUNNING');
    });
    for (const job of jobs) expect((await client.importEnd(job)).status).toBe('COMPLETE');
    expect((await client.upload('full', zip, may)).status).toBe(200);
  });

  it('reports the status of jobs of all replicas', async () => {
    const replica = await fixture.replica();
    const { body } = await client.at(replica.url).upload('elsewhere', await smallestPackage());
    expect((await client.importEnd(body.result)).status).toBe('COMPLETE');
    await replica.stop();
  });

  it('reports a job without heartbeats as interrupted, and does not let it finish', async () => {
    const jobs = fixture.app.get(ImportJobs);
    const lost = await jobs.create(application, 'lost');
    const kept = await jobs.create(application, 'kept');
    const ageHeartbeat = (jobId: string, seconds: number) =>
      fixture.database.execute(
        sql`UPDATE import_jobs SET seen_at = seen_at - ${seconds} * interval '1 second'
            WHERE id = ${jobId}`,
      );
    await ageHeartbeat(kept, 50);
    await jobs.heartbeat([kept]);
    await ageHeartbeat(kept, 50);
    await ageHeartbeat(lost, 61);
    await jobs.heartbeat([lost]);
    expect(await statusOf(kept)).toEqual(['RUNNING', 'The package is being imported.']);
    expect(await statusOf(lost)).toEqual(['ERROR', 'The import was interrupted.']);
    await expect(jobs.finish(lost, 'COMPLETE', '')).rejects.toThrow('no heartbeat for too long');
    await jobs.finish(kept, 'ERROR', 'Refused.');
    expect(await statusOf(kept)).toEqual(['ERROR', 'Refused.']);
  });

  it('continues after the file of an upload could not be deleted', async () => {
    const courseId = 'stuck';
    const jobId = await fixture.app.get(ImportJobs).create(application, courseId);
    const file = await fixture.app.get(UploadSpace).open(applicationAsOwner(application));
    const close = file[Symbol.asyncDispose].bind(file);
    file[Symbol.asyncDispose] = () =>
      close().then(() => Promise.reject(new Error('the disk is gone')));
    fixture.app.get(ImportQueue).add({
      application,
      jobId,
      courseId,
      mayCreateNewVersion: false,
      file,
      media: null,
    });
    const message = 'uploaded file could not be deleted';
    await eventually(`the log contains "${message}"`, () =>
      fixture.lines().some((line) => line['msg'] === message),
    );
    expect((await statusOf(jobId))[0]).toBe('ERROR');
    expect((await client.import('next', await smallestPackage())).status).toBe('COMPLETE');
  });

  it('prunes import jobs that are older than seven days', async () => {
    const jobs = fixture.app.get(ImportJobs);
    const old = await jobs.create(application, 'old');
    const young = await jobs.create(application, 'young');
    const setAge = (jobId: string, days: number) =>
      fixture.database.execute(
        sql`UPDATE import_jobs SET created_at = now() - ${days} * interval '1 day'
            WHERE id = ${jobId}`,
      );
    await setAge(old, 7.1);
    await setAge(young, 6.9);
    await jobs.prune();
    expect((await client.get(`courses/importJobs/${old}`)).status).toBe(404);
    expect((await client.get(`courses/importJobs/${young}`)).status).toBe(200);
  });

  it('returns 404 for an unknown import job', async () => {
    const message = expect.stringContaining('No import job has the id') as unknown;
    for (const id of ['0', 'x', crypto.randomUUID()]) {
      expect(await client.get(`courses/importJobs/${id}`)).toMatchObject({
        status: 404,
        body: { message },
      });
    }
  });
});
