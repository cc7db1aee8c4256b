import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { CopyCourse } from '../courses/copy-course.ts';
import {
  email,
  type EnrolmentFixture,
  scopeOf,
  startEnrolmentFixture,
} from '../enrolment.fixture.ts';

describe('what registration create requests of other contexts', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    await enrolment.app.get(CopyCourse).copy({
      courseId: 100,
      applicationId: 1,
      courseGuid: 'swimming',
      title: 'Swimming',
      deleted: false,
      version: 1,
      keywords: [],
    });
  });
  beforeEach(() => {
    enrolment.asked.users.length = enrolment.asked.courses.length = 0;
    enrolment.catalogCourses.add('swimming');
    enrolment.account(1).addCourse('swimming');
  });
  afterAll(() => enrolment.stop());

  const learner = () => email(`learner-${randomUUID()}@example.org`);
  /** Deletes the course as the catalog does, whose event has not arrived yet. */
  const deleteCourse = () => {
    enrolment.account(1).courses.delete('swimming');
    enrolment.catalogCourses.delete('swimming');
  };

  it('a create for a copied course asks the catalog for nothing', async () => {
    expect(await enrolment.create(learner())).toMatchObject({ course_id: 100 });
    expect(await enrolment.create(learner(), { dontDuplicate: true })).toMatchObject({
      course_id: 100,
    });
    expect(enrolment.asked.courses).toEqual([]);
  });

  it('a create asks the catalog for a course that is not copied yet, and which of several applications holds one', async () => {
    expect(await enrolment.create(learner(), { courseGuid: 'diving' })).toMatchObject({
      course_id: 101,
    });
    await expect(enrolment.create(learner(), { applicationId: null })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(enrolment.asked.courses).toEqual(['diving', 'swimming']);
  });

  it('a create fails as not-found for a course that was deleted, although its copy is late', async () => {
    const [learnerId, enrolled] = [learner(), learner()];
    await enrolment.create(enrolled);
    deleteCourse();
    await expect(enrolment.create(learnerId)).rejects.toMatchObject({ code: 'not-found' });
    expect(await enrolment.index({ learnerId })).toEqual([]);
    await expect(enrolment.create(enrolled, { dontDuplicate: true })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('a create asks identity once for a learner, in any case, and never for the user of a key', async () => {
    const learnerId = learner();
    await enrolment.create(learnerId);
    await enrolment.create(learnerId.toUpperCase());
    const own = learner();
    await enrolment.create(own, { scope: scopeOf({ email: own }) });
    expect(enrolment.asked.users).toEqual([learnerId]);
  });

  it('a create stores an outcome only under a key that a client has given', async () => {
    const outcomes = () => enrolment.database.execute(sql`SELECT FROM outcomes`);
    const before = await outcomes();
    await enrolment.create(learner());
    expect(await outcomes()).toBe(before);
    const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    await runInRequestContext(operation, () => enrolment.create(learner()));
    expect(await outcomes()).toBe(before + 1);
  });

  it('a request that the broker delivers twice creates one registration', async () => {
    const learnerId = learner();
    const delivery = {
      requestId: 'r',
      deadline: null,
      idempotencyKey: randomUUID(),
      isPrivateKey: true,
    };
    const create = () => runInRequestContext(delivery, () => enrolment.create(learnerId));
    const first = await create();
    expect(await create()).toEqual(first);
    expect(await enrolment.index({ learnerId })).toHaveLength(1);
  });
});
