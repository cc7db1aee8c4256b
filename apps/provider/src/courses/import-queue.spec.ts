import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.fixture.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';

describe('the queue of imports', () => {
  let fixture: ProviderFixture;
  let client: Client;
  let applicationId: number;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
    const [row] = await fixture.database.query<{ id: number }>(
      'SELECT id FROM applications WHERE app_id = $1',
      [client.appId],
    );
    applicationId = row?.id ?? 0;
  });
  afterAll(() => fixture?.stop());

  const statusOf = async (jobId: string) => {
    const { body } = await client.get<{ status: string; message: string }>(
      `courses/importJobs/${jobId}`,
    );
    return [body.status, body.message];
  };

  /** While `work` runs, no import of this course gets on: another transaction makes it. */
  const heldUp = (courseId: string, work: () => Promise<void>) =>
    fixture.database
      .transaction(async () => {
        await fixture.database.query(
          'INSERT INTO courses (application_id, course_id, title) VALUES ($1, $2, $2)',
          [applicationId, courseId],
        );
        await fixture.database.detached(work);
        throw new Error('undo');
      })
      .catch((error: Error) => expect(error.message).toBe('undo'));

  it('finishes what runs before the app stops, and gives up what waits', async () => {
    const replica = await fixture.replica();
    const there = client.at(replica.url);
    const zip = await smallestPackage();
    const may = { mayCreateNewVersion: 'true' };
    const jobs: string[] = [];
    let stopped: Promise<void> | undefined;
    await heldUp('held-up', async () => {
      for (let n = 0; n < 3; n += 1)
        jobs.push((await there.upload('held-up', zip, may)).body.result);
      stopped = replica.stop();
      const waiting = jobs[2] ?? '';
      while ((await statusOf(waiting))[0] === 'RUNNING');
      expect(await statusOf(waiting)).toEqual([
        'ERROR',
        'The provider was stopped before the import. Send it again.',
      ]);
      expect((await statusOf(jobs[0] ?? ''))[0]).toBe('RUNNING');
    });
    await stopped;
    for (const job of jobs.slice(0, 2)) expect((await statusOf(job))[0]).toBe('COMPLETE');
    expect((await client.get('courses/held-up/versions')).body).toMatchObject({
      courses: [{ version: 1 }, { version: 0 }],
    });
  });

  it('takes no more than it can hold', async () => {
    const zip = await smallestPackage();
    const answers: number[] = [];
    const may = { mayCreateNewVersion: 'true' };
    await heldUp('full', async () => {
      for (let n = 0; n < 19; n += 1) answers.push((await client.upload('full', zip, may)).status);
      expect(await client.upload('full', zip, may)).toMatchObject({
        status: 503,
        body: { message: 'No package can be taken now. Try again later.' },
      });
    });
    expect(answers).toEqual([...Array.from({ length: 18 }, () => 200), 503]);
  });

  it('tells of every replica what the job of any is doing', async () => {
    const replica = await fixture.replica();
    const { body } = await client.at(replica.url).upload('elsewhere', await smallestPackage());
    while ((await statusOf(body.result))[0] === 'RUNNING');
    expect((await statusOf(body.result))[0]).toBe('COMPLETE');
    await replica.stop();
  });

  it('calls an import interrupted whose process says nothing any more, and lets it end no more', async () => {
    const jobs = fixture.app.get(ImportJobs);
    const lost = await jobs.begin({ id: applicationId }, 'lost');
    const kept = await jobs.begin({ id: applicationId }, 'kept');
    const back = (jobId: string, seconds: number) =>
      fixture.database.query(
        `UPDATE import_jobs SET seen_at = seen_at - $2 * interval '1 second' WHERE id = $1`,
        [jobId, seconds],
      );
    await back(kept, 50);
    await jobs.keep([kept]);
    await back(kept, 50);
    await back(lost, 61);
    await jobs.keep([lost]);
    expect(await statusOf(kept)).toEqual(['RUNNING', 'The package is being imported.']);
    expect(await statusOf(lost)).toEqual(['ERROR', 'The import was interrupted.']);
    await expect(jobs.end(lost, 'COMPLETE', '')).rejects.toThrow('silent for too long');
    await jobs.end(kept, 'ERROR', 'Refused.');
    expect(await statusOf(kept)).toEqual(['ERROR', 'Refused.']);
  });

  it('goes on when the file of an upload cannot be removed', async () => {
    const courseId = 'stuck';
    const jobId = await fixture.app.get(ImportJobs).begin({ id: applicationId }, courseId);
    fixture.app.get(ImportQueue).add({
      ...{ application: { id: applicationId }, jobId, courseId, mayCreateNewVersion: false },
      file: 'no folder\0/package.zip',
    });
    const told = () => fixture.lines().some((line) => line['msg'] === 'an upload was left behind');
    while (!told()) await statusOf(jobId);
    expect((await statusOf(jobId))[0]).toBe('ERROR');
    const { body } = await client.upload('next', await smallestPackage());
    while ((await statusOf(body.result))[0] === 'RUNNING');
    expect((await statusOf(body.result))[0]).toBe('COMPLETE');
  });

  it('knows no jobs but its own', async () => {
    const message = expect.stringContaining('No import job has the id') as unknown;
    for (const id of ['0', 'x', crypto.randomUUID()]) {
      expect(await client.get(`courses/importJobs/${id}`)).toMatchObject({
        ...{ status: 404, body: { message } },
      });
    }
  });
});
