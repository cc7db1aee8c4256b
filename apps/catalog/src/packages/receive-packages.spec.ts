import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import {
  type AccessScope,
  appendPackagePiece,
  discardUpload,
  readPackagePiece,
  type Failure,
} from '@registrar/contracts';
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type CatalogFixture,
  packageLimit,
  scopeOf,
  startCatalogFixture,
} from '../catalog.fixture.ts';
import { PackageUploads } from './package-uploads.ts';

const largestPiece = 512 * 1024;

describe('the pieces of a package', () => {
  let catalog: CatalogFixture;
  const [uploadId, attemptId] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const append = (index: number, bytes: Buffer, scope = scopeOf()) =>
    catalog.bus.request(appendPackagePiece, {
      scope,
      uploadId,
      attemptId,
      index,
      bytes: bytes.toString('base64'),
    });
  const sentBytes = async (realmId = 1) => {
    const chunks: Uint8Array[] = [];
    const uploads = catalog.app.get(PackageUploads);
    const { bytes, length } = await uploads.open({ realmId, uploadId });
    for await (const chunk of bytes) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    expect(whole).toHaveLength(length);
    return whole;
  };

  it('form the package in any order and with any repetition', async () => {
    const whole = randomBytes(2 * largestPiece + 100);
    const piece = (index: number) =>
      append(index, whole.subarray(index * largestPiece, (index + 1) * largestPiece));
    await piece(2);
    await Promise.all([piece(0), piece(0), piece(1), piece(2)]);
    expect((await sentBytes()).equals(whole)).toBe(true);
  });

  it('the pieces of a package cause invalid when one of them is missing', async () => {
    await append(0, randomBytes(10));
    await append(2, randomBytes(10));
    await expect(catalog.createFrom(uploadId, 'swimming')).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('the pieces of a package are refused when the package exceeds the largest size, not counting repetitions', async () => {
    const full = Math.floor(packageLimit / largestPiece);
    for (let index = 0; index < full; index += 1) await append(index, randomBytes(largestPiece));
    await append(0, randomBytes(largestPiece));
    await expect(append(full, randomBytes(largestPiece))).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: full });
    await append(full, randomBytes(packageLimit - full * largestPiece));
  });

  it('the pieces of a package are refused beyond what the realm may keep, in number and in bytes', async () => {
    const pieceOf = (upload: string, limits: AccessScope['limits'], realmId = 1) =>
      catalog.bus.request(appendPackagePiece, {
        scope: { ...scopeOf({ realmId }), limits },
        uploadId: upload,
        attemptId,
        index: 0,
        bytes: randomBytes(largestPiece).toString('base64'),
      });
    const refused = { code: 'over-limit' };
    await pieceOf(uploadId, { uploads: 1 });
    await expect(pieceOf(randomUUID(), { uploads: 1 })).rejects.toMatchObject(refused);
    await pieceOf(randomUUID(), { uploads: 1 }, 2);
    await pieceOf(randomUUID(), { uploadMegabytes: 1 });
    await expect(pieceOf(randomUUID(), { uploadMegabytes: 1 })).rejects.toMatchObject(refused);
    expect(await catalog.storedUploads()).toEqual({ uploads: 3, pieces: 3 });
  });

  it('the pieces of a package belong to one realm, also when another realm uses the same upload id', async () => {
    await append(0, Buffer.from('ours'));
    await append(0, Buffer.from('theirs'), scopeOf({ realmId: 2, applicationIds: [3] }));
    expect((await sentBytes(1)).toString()).toBe('ours');
    expect((await sentBytes(2)).toString()).toBe('theirs');
    await catalog.app.get(PackageUploads).delete({ realmId: 2, uploadId });
    expect((await sentBytes(1)).toString()).toBe('ours');
  });

  it('the pieces of a package are refused for a user-bound key', async () => {
    await expect(
      append(0, randomBytes(10), scopeOf({ email: 'learner@example.com' })),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
  });

  it('the pieces of one provider application leave as much room for the others of its realm', async () => {
    const send = (applicationId: number | null, limits: AccessScope['limits'], id = randomUUID()) =>
      catalog.bus.request(appendPackagePiece, {
        scope: {
          ...scopeOf(applicationId === null ? {} : { applicationIds: [applicationId] }),
          limits,
        },
        uploadId: id,
        attemptId,
        index: 0,
        bytes: randomBytes(largestPiece).toString('base64'),
      });
    const refused = { code: 'over-limit', retryAfterSeconds: expect.any(Number) };
    const four = { uploads: 4 };
    const first = randomUUID();
    await send(1, four, first);
    await send(1, four);
    await expect(send(1, four)).rejects.toMatchObject(refused);
    await send(2, four);
    await expect(send(2, four)).rejects.toMatchObject(refused);
    // An upload under way goes on.
    await send(1, four, first);
    await send(null, four);
    await expect(send(null, four)).rejects.toMatchObject(refused);
    expect(await catalog.storedUploads()).toEqual({ uploads: 4, pieces: 4 });

    const megabytes = { uploads: 20, uploadMegabytes: 3 };
    await expect(send(2, megabytes)).rejects.toMatchObject(refused);
    await send(null, megabytes);
  });

  it('the pieces of a package are read one by one for its check, within their realm', async () => {
    await append(0, Buffer.from('first'));
    await append(1, Buffer.from('second'));
    const read = (index: number, scope = scopeOf()) =>
      catalog.bus.request(readPackagePiece, { scope, uploadId, index });
    const textOf = async (index: number) => {
      const { bytes, pieces } = await read(index);
      return [Buffer.from(bytes, 'base64').toString(), pieces];
    };
    expect(await textOf(0)).toEqual(['first', 2]);
    expect(await textOf(1)).toEqual(['second', 2]);
    await expect(read(2)).rejects.toMatchObject({ code: 'not-found' });
    await expect(read(0, scopeOf({ realmId: 2 }))).rejects.toMatchObject({ code: 'not-found' });
    const user = scopeOf({ email: 'learner@example.com' });
    await expect(read(0, user)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('the pieces of a package are discarded by the attempt that sent piece 0 last, before their import', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const send = (attemptId: string, index: number) =>
      catalog.bus.request(appendPackagePiece, {
        scope: scopeOf(),
        uploadId,
        attemptId,
        index,
        bytes: randomBytes(10).toString('base64'),
      });
    const discard = (attemptId: string, realmId = 1) =>
      catalog.bus.request(discardUpload, { scope: scopeOf({ realmId }), uploadId, attemptId });
    await send(first, 0);
    await send(second, 0);
    await send(first, 1);
    await discard(first);
    await discard(second, 2);
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 2 });
    await catalog.app.get(PackageUploads).saveImportStart({ realmId: 1, uploadId }, -1);
    await discard(second);
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 2 });
    await catalog.database.execute(sql`UPDATE package_uploads SET imported_over = NULL`);
    await discard(second);
    expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
  });

  it('the pieces of a package count for the realm and are kept until ten minutes after the last one', async () => {
    const uploads = catalog.app.get(PackageUploads);
    const limits = { uploads: 1 };
    const age = (interval: string) =>
      catalog.database.execute(sql`
        UPDATE package_uploads SET active_at = now() - ${interval}::interval`);
    await append(0, randomBytes(10));
    await age('9 minutes');
    await uploads.prune();
    const other = () =>
      catalog.bus.request(appendPackagePiece, {
        scope: { ...scopeOf(), limits },
        uploadId: randomUUID(),
        attemptId,
        index: 0,
        bytes: randomBytes(10).toString('base64'),
      });
    const { retryAfterSeconds } = await other().then(
      () => Promise.reject(new Error('the realm has room')),
      (error: unknown) => error as Failure,
    );
    expect(retryAfterSeconds).toBeGreaterThan(30);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    await age('11 minutes');
    await other();
    await Promise.all([uploads.prune(), uploads.prune()]);
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 1 });
  });

  it('the pieces of a package are deleted before the progress of their import, which is known for a day', async () => {
    const uploads = catalog.app.get(PackageUploads);
    const whole = randomBytes(10);
    await append(0, whole);
    await uploads.saveImportStart({ realmId: 1, uploadId }, 3);
    const age = (interval: string) =>
      catalog.database.execute(sql`
        UPDATE package_uploads
        SET created_at = now() - ${interval}::interval, active_at = now() - interval '11 minutes'`);
    await age('23 hours');
    await Promise.all([uploads.prune(), uploads.prune()]);
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 0 });
    await append(0, whole);
    expect(await uploads.open({ realmId: 1, uploadId })).toMatchObject({
      importedOver: 3,
      length: 10,
    });
    await age('25 hours');
    await uploads.prune();
    expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
  });

  it('the pieces of a package are read only on demand', async () => {
    await append(0, Buffer.from('a'));
    await append(1, Buffer.from('b'));
    const { bytes } = await catalog.app.get(PackageUploads).open({ realmId: 1, uploadId });
    const reader = bytes[Symbol.asyncIterator]();
    await reader.next();
    await turn();
    await catalog.app.get(PackageUploads).delete({ realmId: 1, uploadId });
    await expect(reader.next()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
