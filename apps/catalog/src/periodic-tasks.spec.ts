import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sql } from '@registrar/persistence';
import { randomBytes } from 'node:crypto';
import { type CatalogFixture, startCatalogFixture } from './catalog.fixture.ts';
import { PendingCreates } from './courses/pending-creates.ts';
import { PackageUploads } from './packages/package-uploads.ts';

describe('the periodic tasks of catalog', () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
  });
  afterEach(() => catalog.stop());

  const runOnce = () =>
    Promise.all([catalog.app.get(PackageUploads).prune(), catalog.app.get(PendingCreates).prune()]);

  it('the periodic tasks of catalog delete package uploads on which nobody works, with two replicas at once', async () => {
    await catalog.upload(randomBytes(10));
    await catalog.database.execute(
      sql`UPDATE package_uploads SET active_at = now() - interval '11 minutes'`,
    );
    const kept = await catalog.upload(randomBytes(10));
    await Promise.all([runOnce(), runOnce()]);
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 1 });
    await catalog.createFrom(kept, 'swimming');
  });

  it('the periodic tasks of catalog delete pending creates after 7 days', async () => {
    const pending = catalog.app.get(PendingCreates);
    await pending.save(1, 'lost', { title: 'Lost', custom: null });
    await catalog.database.execute(
      sql`UPDATE pending_creates SET created_at = now() - interval '8 days'`,
    );
    await pending.save(1, 'awaited', { title: 'Awaited', custom: null });
    await runOnce();
    const guidRow = z.object({ course_guid: z.string() });
    expect(
      await catalog.database.many(guidRow, sql`SELECT course_guid FROM pending_creates`),
    ).toEqual([{ course_guid: 'awaited' }]);
  });
});
