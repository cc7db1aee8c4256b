import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriodicTasks } from '@registrar/bootstrap';
import { handledMessages } from '@registrar/bus/testing';
import * as contracts from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type PartitionScans, partitionTables } from '@registrar/persistence/testing';
import {
  type CatalogFixture,
  crawledCourse,
  scopeOf,
  startCatalogFixture,
} from './catalog.fixture.ts';
import { CopyRegistrationCounts } from './courses/copy-registration-counts.ts';

/** An application of another realm. Its partition is the first, so that no LIMIT ends a scan before. */
const foreign = 0;
const isForeign = (partition: string) => partition.endsWith(`_${foreign}`);

/** Requests that use none of the tables. */
const withoutTables = [
  contracts.appendPackagePiece,
  contracts.discardUpload,
  contracts.readPackagePiece,
  contracts.createTemplate,
  contracts.deleteTemplate,
  contracts.indexTemplates,
  contracts.updateTemplate,
];

describe('the tables of catalog, with a partition for each provider application', () => {
  let catalog: CatalogFixture;
  let scans: PartitionScans;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
    await catalog.app.get(PeriodicTasks).stop();
    await catalog.crawled(1, [crawledCourse('diving')], { applicationId: foreign });
    scans = await partitionTables(catalog.database, {
      context: 'catalog',
      applicationIds: [foreign, 1, 2],
    });
    catalog.account(1).addCourse('swimming', 'Swimming');
    await scans.take();
  });
  afterAll(() => catalog.stop());

  const scope = scopeOf();
  const courseGuid = 'swimming';
  const created = () => catalog.register(courseGuid, { title: 'Swimming', custom: 'one' });
  let sequence = 1;

  /** What runs the statements of each request and event, by its name. */
  const operations: Record<string, () => Promise<unknown>> = {
    [contracts.createCourse.name]: created,
    'create-course from a package': async () =>
      catalog.createFrom(await catalog.upload(Buffer.from('PK')), courseGuid, { title: 'New' }),
    [contracts.indexCourses.name]: () => catalog.index({}, { pageSize: 1 }),
    'index-courses by an expression': () => catalog.index({ patterns: { title: ['^Swim'] } }),
    [contracts.findCourse.name]: async () => {
      await created();
      const { applicationIds } = scope;
      await catalog.bus.request(contracts.findCourse, { applicationIds, courseGuid });
    },
    [contracts.readVersions.name]: () =>
      catalog.bus.request(contracts.readVersions, {
        applicationIds: scope.applicationIds,
        realmIds: [1],
      }),
    [contracts.updateCourse.name]: async () => {
      await created();
      const changes = { title: 'Swimming fast', custom: 'two' };
      await catalog.bus.request(contracts.updateCourse, { scope, courseGuid, ...changes });
    },
    [contracts.deleteCourse.name]: async () => {
      catalog.account(1).addCourse('sailing', 'Sailing');
      await catalog.register('sailing');
      await catalog.bus.request(contracts.deleteCourse, { scope, courseGuid: 'sailing' });
    },
    [contracts.previewCourse.name]: async () => {
      await created();
      await catalog.bus.request(contracts.previewCourse, { scope, courseGuid });
    },
    [contracts.listCourseVersions.name]: async () => {
      await created();
      await catalog.bus.request(contracts.listCourseVersions, { scope, courseGuid });
    },
    [contracts.deleteCourseVersion.name]: async () => {
      catalog.account(1).addCourse('diving', 'Diving', 0, 0);
      catalog.account(1).addCourse('diving', 'Diving', 0, 1);
      await catalog.register('diving');
      const version = { scope, courseGuid: 'diving', version: 0 };
      await catalog.bus.request(contracts.deleteCourseVersion, version);
    },
    [contracts.readCourseSettings.name]: async () => {
      await created();
      await catalog.bus.request(contracts.readCourseSettings, { scope, courseGuid });
    },
    [contracts.configureCourse.name]: async () => {
      await created();
      const set = { PlayerShowCourseStructure: 'false' };
      await catalog.bus.request(contracts.configureCourse, {
        scope,
        courseGuid,
        set,
        removed: [],
      });
    },
    [contracts.coursesCrawled.name]: () =>
      catalog.crawled((sequence += 1), [crawledCourse('rowing'), crawledCourse(courseGuid)]),
    [contracts.registrationsCounted.name]: () =>
      catalog.app.get(CopyRegistrationCounts).copy({
        applicationId: 1,
        counts: [{ courseGuid, registrations: 1, version: (sequence += 1) }],
      }),
    [contracts.coursesSwept.name]: () => catalog.swept((sequence += 1), [courseGuid]),
  };

  it.each(Object.entries(operations))(
    'the tables of catalog, with a partition for each provider application keep the partitions of another realm unread by %s',
    async (_name, operate) => {
      await operate();
      const read = await scans.take();
      expect(read).not.toEqual([]);
      expect(read.filter(isForeign)).toEqual([]);
    },
  );

  it('the tables of catalog, with a partition for each provider application are tested with every request and event that catalog handles', () => {
    const tested = [...Object.keys(operations), ...withoutTables.map(({ name }) => name)];
    expect(handledMessages('catalog').filter((name) => !tested.includes(name))).toEqual([]);
  });

  it('the tables of catalog, with a partition for each provider application are read in all partitions by a statement without the application', async () => {
    await catalog.database.execute(sql`SELECT FROM courses`);
    expect((await scans.take()).filter(isForeign)).toEqual(['courses_0']);
  });
});
