import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProcessTransport } from '@registrar/bus';
import { startStubContext, stubReply, type TestBusApp } from '@registrar/bus/testing';
import { checkPackage, emailAddress, Failure, readPackagePiece } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { testLogger, testScope } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { makeZip, smallestPackage } from '../testing/make-package.ts';
import { realmAsOwner } from './package-owner.ts';
import { UploadSpace } from './upload-space.ts';

const scope = testScope({ realmId: 1, applicationIds: [1] });

describe('provider.check-package', () => {
  const transport = inProcessTransport();
  let fixture: ProviderFixture;
  let catalog: TestBusApp;
  /** The pieces of an upload, which realm 1 has. */
  const uploads = new Map<string, Buffer[]>();

  const upload = (bytes: Buffer, pieceBytes = 200): string => {
    const id = randomUUID();
    const count = Math.max(1, Math.ceil(bytes.length / pieceBytes));
    const pieces = Array.from({ length: count }, (_, at) =>
      bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    );
    uploads.set(id, pieces);
    return id;
  };
  const check = (uploadId: string, by = scope) =>
    fixture.bus.request(checkPackage, { scope: by, uploadId });

  beforeAll(async () => {
    const { logger } = testLogger('catalog');
    const read = stubReply(readPackagePiece, async ({ scope: { realmId }, uploadId, index }) => {
      const pieces = realmId === 1 ? uploads.get(uploadId) : undefined;
      const bytes = pieces?.[index]?.toString('base64');
      if (!pieces || bytes === undefined) throw new Failure('not-found', 'no such upload');
      return { bytes, pieces: pieces.length };
    });
    catalog = await startStubContext('catalog', [read], { transport, logger });
    fixture = await startProviderFixture({ transport });
  });
  afterAll(async () => {
    await fixture.stop();
    await catalog.stop();
  });

  it('provider.check-package checks a package of many pieces, and stores nothing', async () => {
    const { findings } = await check(upload(await smallestPackage()));
    expect(findings).toMatchObject([
      { rule: 'no-api-use', severity: 'warning', file: 'page.html' },
    ]);
    const stored = await fixture.database.one(
      z.object({ courses: z.number(), jobs: z.number(), files: z.number() }),
      sql`SELECT (SELECT count(*) FROM courses) AS courses,
                 (SELECT count(*) FROM import_jobs) AS jobs,
                 (SELECT count(*) FROM package_files) AS files`,
    );
    expect(stored).toEqual({ courses: 0, jobs: 0, files: 0 });
  });

  it('provider.check-package answers with the errors of a package that would be refused', async () => {
    const broken = upload(await makeZip({ 'page.html': '' }));
    expect((await check(broken)).findings).toMatchObject([{ rule: 'manifest-missing' }]);
    expect((await check(upload(Buffer.alloc(0)))).findings).toMatchObject([
      { rule: 'zip-unreadable' },
    ]);
  });

  it('provider.check-package fails for an upload of another realm, and for a user-bound key', async () => {
    const id = upload(await smallestPackage());
    const other = testScope({ realmId: 2, applicationIds: [3] });
    await expect(check(id, other)).rejects.toMatchObject({ code: 'not-found' });
    const user = { id: 1, email: emailAddress.parse('learner@example.com') };
    await expect(check(id, { ...scope, user })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('provider.check-package has a share of the space for uploads, which its realm cannot exceed', async () => {
    const id = upload(await smallestPackage());
    const space = fixture.app.get(UploadSpace);
    const held = await Promise.all(
      Array.from({ length: 24 }, () => space.open(realmAsOwner(scope))),
    );
    await expect(check(id)).rejects.toMatchObject({
      code: 'over-limit',
      message: 'Too many packages of the realm wait. Try again later.',
      retryAfterSeconds: 10,
    });
    for (const file of held) await file[Symbol.asyncDispose]();
    expect((await check(id)).findings).toHaveLength(1);
  });
});
