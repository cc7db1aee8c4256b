import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from '@registrar/persistence';
import { type AccessScope, appendPackagePiece } from '@registrar/contracts';
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
  const uploadId = randomUUID();

  beforeEach(async () => {
    catalog = await startCatalogFixture();
  });
  afterEach(() => catalog.stop());

  const append = (index: number, bytes: Buffer, scope = scopeOf()) =>
    catalog.bus.request(appendPackagePiece, {
      scope,
      uploadId,
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

  it('cause invalid when one of them is missing', async () => {
    await append(0, randomBytes(10));
    await append(2, randomBytes(10));
    await expect(catalog.createFrom(uploadId, 'swimming')).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('are refused when the package exceeds the largest size, not counting repetitions', async () => {
    const full = Math.floor(packageLimit / largestPiece);
    for (let index = 0; index < full; index += 1) await append(index, randomBytes(largestPiece));
    await append(0, randomBytes(largestPiece));
    await expect(append(full, randomBytes(largestPiece))).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: full });
    await append(full, randomBytes(packageLimit - full * largestPiece));
  });

  it('are refused beyond what the realm may keep, in number and in bytes', async () => {
    const pieceOf = (upload: string, limits: AccessScope['limits'], realmId = 1) =>
      catalog.bus.request(appendPackagePiece, {
        scope: { ...scopeOf({ realmId }), limits },
        uploadId: upload,
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

  it('belong to one realm, also when another realm uses the same upload id', async () => {
    await append(0, Buffer.from('ours'));
    await append(0, Buffer.from('theirs'), scopeOf({ realmId: 2, applicationIds: [3] }));
    expect((await sentBytes(1)).toString()).toBe('ours');
    expect((await sentBytes(2)).toString()).toBe('theirs');
    await catalog.app.get(PackageUploads).delete({ realmId: 2, uploadId });
    expect((await sentBytes(1)).toString()).toBe('ours');
  });

  it('are refused for a user-bound key', async () => {
    await expect(
      append(0, randomBytes(10), scopeOf({ email: 'learner@example.com' })),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
  });

  it('are deleted after a day', async () => {
    await append(0, randomBytes(10));
    const uploads = catalog.app.get(PackageUploads);
    const age = (interval: string) =>
      catalog.database.execute(sql`
        UPDATE package_uploads SET created_at = now() - ${interval}::interval`);
    await age('23 hours');
    await uploads.prune();
    expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 1 });
    await age('25 hours');
    await Promise.all([uploads.prune(), uploads.prune()]);
    expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
  });

  it('are read only on demand', async () => {
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
