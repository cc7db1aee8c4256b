import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTemplate, deleteTemplate, readVersions, updateTemplate } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import {
  type CatalogFixture,
  crawledCourse,
  scopeOf,
  startCatalogFixture,
} from '../catalog.fixture.ts';
import { CopyRegistrationCounts } from '../courses/copy-registration-counts.ts';
import { RecordVersions } from './record-versions.ts';

describe('versions of courses and templates', () => {
  let catalog: CatalogFixture;
  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const coursesOf = async (...applicationIds: number[]) =>
    (await catalog.bus.request(readVersions, { applicationIds, realmIds: [] })).courses;
  const templatesOf = async (...realmIds: number[]) =>
    (await catalog.bus.request(readVersions, { applicationIds: [], realmIds })).templates;
  const insert = (applicationId: number, guid: string) =>
    catalog.database.execute(sql`
      INSERT INTO courses (id, provider_application_id, course_guid, provider_title, size, versions, metadata,
                           sequence, confirmed_at)
      VALUES (nextval('course_ids'), ${applicationId}, ${guid}, 'Course', 1, 1, '{}', 1, now())`);
  const count = (version: number, registrations: number) =>
    catalog.app.get(CopyRegistrationCounts).copy({
      applicationId: 1,
      counts: [{ courseGuid: 'swim', registrations, version }],
    });

  it('versions of courses and templates change with every change of a course, each to a new one', async () => {
    const seen = [...(await coursesOf(1))];
    const changes = [
      () => catalog.crawled(1, [crawledCourse('swim')]),
      () => catalog.crawled(2, [crawledCourse('swim', { title: 'Water' })]),
      () => catalog.crawled(3, [crawledCourse('swim', { title: 'Water', size: 1 })]),
      () => count(1, 1),
      () => count(2, 2),
      () => catalog.swept(4, []),
      () => catalog.database.execute(sql`DELETE FROM courses`),
    ];
    for (const change of changes) {
      await change();
      const [version] = await coursesOf(1);
      expect(seen).not.toContain(version);
      seen.push(version!);
    }
  });

  it('versions of courses and templates stay as they are when a crawl or a count finds nothing new, and when another application changes', async () => {
    await catalog.crawled(1, [crawledCourse('swim')]);
    await count(1, 1);
    const before = await coursesOf(1, 2);
    await catalog.crawled(2, [crawledCourse('swim')]);
    await count(2, 1);
    expect(await coursesOf(1, 2)).toEqual(before);
    await catalog.crawled(1, [crawledCourse('dive')], { applicationId: 2 });
    const [first, second] = await coursesOf(1, 2);
    expect(first).toBe(before[0]);
    expect(second).not.toBe(before[1]);
  });

  it('versions of courses and templates change with every change of a template of the realm', async () => {
    const scope = scopeOf();
    const before = await templatesOf(1, 2);
    const seen = [before[0]];
    const texts = { name: 'welcome', body: 'Hello', markup: null, mimetype: null };
    const { id } = await catalog.bus.request(createTemplate, { scope, ...texts });
    const template = { by: 'id' as const, id };
    for (const change of [
      async () => undefined,
      () => catalog.bus.request(updateTemplate, { scope, template, ...texts, body: 'Hi' }),
      () => catalog.bus.request(deleteTemplate, { scope, id }),
    ]) {
      await change();
      const [version, ofOther] = await templatesOf(1, 2);
      expect(seen).not.toContain(version);
      expect(ofOther).toBe(before[1]);
      seen.push(version);
    }
  });

  it('versions of courses and templates change when a transaction commits after a younger one, also if notes were pruned meanwhile', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
    await insert(1, 'before');
    const older = catalog.database.transaction(async () => {
      await insert(1, 'older');
      written();
      await released;
    });
    await isWritten;
    await insert(1, 'younger');
    const [between] = await coursesOf(1);
    await catalog.app.get(RecordVersions).prune();
    const [pruned] = await coursesOf(1);
    release();
    await older;
    const [after] = await coursesOf(1);
    expect([between, pruned]).not.toContain(after);
  });

  it('versions of courses and templates need one note of each owner once its transactions have ended', async () => {
    for (const guid of ['swim', 'dive', 'crawl']) await insert(1, guid);
    await insert(2, 'swim');
    const owners = () =>
      catalog.database.many(
        z.object({ owner: z.number() }),
        sql`SELECT provider_application_id AS owner FROM course_changes ORDER BY 1`,
      );
    // Transactions of other suites on the server keep notes as well.
    await eventually('one note of each is left', async () => {
      await catalog.app.get(RecordVersions).prune();
      return (await owners()).length === 2;
    });
    expect(await owners()).toEqual([{ owner: 1 }, { owner: 2 }]);
    const [version] = await coursesOf(1);
    await catalog.app.get(RecordVersions).prune();
    expect(await coursesOf(1)).toEqual([version]);
  });
});
