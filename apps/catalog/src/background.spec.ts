import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testLogger } from '#libs/testing';
import { randomBytes } from 'node:crypto';
import { Background } from './background.ts';
import { type CatalogFixture, startCatalogFixture } from './catalog.fixture.ts';
import { PendingCreates } from './courses/pending-creates.ts';
import { PackageUploads } from './packages/package-uploads.ts';

describe('the background', () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
  });
  afterEach(() => catalog.stop());

  const runOnce = async (logger = testLogger().logger) => {
    const { app } = catalog;
    const background = new Background(app.get(PackageUploads), app.get(PendingCreates), logger);
    background.onAppStart();
    await background.beforeApplicationShutdown();
  };

  it('forgets old uploads, in two replicas at once', async () => {
    await catalog.upload(randomBytes(10));
    await catalog.database.query(
      `UPDATE package_uploads SET created_at = now() - interval '2 days'`,
    );
    const kept = await catalog.upload(randomBytes(10));
    await Promise.all([runOnce(), runOnce()]);
    expect(await catalog.keptUploads()).toEqual({ uploads: 1, pieces: 1 });
    await catalog.createFrom(kept, 'swimming');
  });

  it('forgets creates whose course never came', async () => {
    const pending = catalog.app.get(PendingCreates);
    await pending.keep(1, 'lost', { title: 'Lost', custom: null });
    await catalog.database.query(
      `UPDATE pending_creates SET created_at = now() - interval '8 days'`,
    );
    await pending.keep(1, 'awaited', { title: 'Awaited', custom: null });
    await runOnce();
    expect(await catalog.database.query('SELECT course_guid FROM pending_creates')).toEqual([
      { course_guid: 'awaited' },
    ]);
  });

  it('says so when it cannot, and goes on', async () => {
    const log = testLogger();
    await catalog.database.query('ALTER TABLE package_uploads RENAME TO hidden');
    await runOnce(log.logger);
    expect(log.lines()).toMatchObject([{ work: 'forget old uploads', level: 'warn' }]);
  });
});
