import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { ProviderAccount } from '../provider-account.ts';

/** A learner with three registrations for two courses, in the order of their creation. */
const learner = (target: Installation) =>
  target.once('learner with registrations', async () => {
    const learner_id = target.learner();
    const [course, other] = [await target.course(), await target.importCourse('other')];
    const guids = [
      await target.register(course, learner_id),
      await target.register(other, learner_id),
      await target.register(course, learner_id),
    ] as const;
    return { learner_id, course, other, guids };
  });

const index = (target: Installation, filters: Parameters) =>
  target.api.get('/registration.json', { ...target.realm, ...filters });
const found = async (target: Installation, filters: Parameters) =>
  valuesOf(await index(target, filters), 'registration_guid').toSorted();

/** A registration that was deleted at the provider and crawled since. */
const deleted = (target: Installation) =>
  target.once('deleted registration', async () => {
    const provider = await ProviderAccount.of(target);
    const learner_id = target.learner();
    const id = await target.register(await target.course(), learner_id);
    checkEqual(await provider.deleteRegistration(id), 204, 'deletion at the provider');
    const record = onlyRecordOf(await index(target, { id, crawl: 't' }));
    return { learner_id, id, record };
  });

/** A registration that is inactive because its learner was removed from an invitation. */
const inactive = (target: Installation) =>
  target.once('inactive registration', async () => {
    const learner_id = target.learner();
    const course = await target.course();
    const name = target.unique('unlearn');
    const parameters = { ...target.realm, name, course_guids: JSON.stringify([course]) };
    recordOf(await target.api.post('/invitation.json', parameters), 201);
    const named = { ...target.realm, name, nodelay: 't' };
    const learners = JSON.stringify([learner_id]);
    recordOf(await target.api.get('/invitation/add_learners.json', { ...named, learners }));
    const [registration] = recordsOf(await index(target, { learner_id }));
    const unlearners = learners;
    recordOf(await target.api.get('/invitation/add_learners.json', { ...named, unlearners }));
    return { learner_id, course, id: String(registration?.['registration_guid']) };
  });

export const registrationCases = [
  transportCase(
    'GET /registration lists the registrations that match',
    ['contract/registrations#index-route', 'contract/formats#operation-index'],
    async (target) => {
      const { learner_id, guids } = await learner(target);
      checkEqual(await found(target, { learner_id }), guids.toSorted(), 'the registrations');
    },
  ),

  conformanceCase(
    'registration index filters by course_guid',
    ['contract/registrations#filter-course-guid'],
    async (target) => {
      const { learner_id, other, guids } = await learner(target);
      checkEqual(
        await found(target, { learner_id, course_guid: other }),
        [guids[1]],
        'registrations for the course',
      );
      checkEqual(
        await found(target, { course_guid: target.unique('unknown') }),
        [],
        'registrations for an unknown course',
      );
    },
  ),

  conformanceCase(
    'registration index filters by learner_id and ignores case',
    ['contract/registrations#filter-learner-id', 'contract/parameters#exact-filters'],
    async (target) => {
      const { learner_id, guids } = await learner(target);
      const upper = { learner_id: learner_id.toUpperCase() };
      checkEqual(await found(target, upper), guids.toSorted(), 'registrations of the learner');
      checkEqual(
        await found(target, { learner_id: target.learner() }),
        [],
        'registrations of an unknown learner',
      );
    },
  ),

  conformanceCase(
    'registration index filters by registration_guid and id',
    [
      'contract/registrations#filter-registration-guid',
      'contract/registrations#guid',
      'contract/parameters#id-and-guid',
    ],
    async (target) => {
      const { guids } = await learner(target);
      checkEqual(
        await found(target, { registration_guid: guids[0] }),
        [guids[0]],
        'registrations with the registration_guid',
      );
      checkEqual(await found(target, { id: guids[0] }), [guids[0]], 'registrations with the id');
      const both = { id: guids[0], registration_guid: guids[1] };
      checkEqual(
        await found(target, both),
        [],
        'registrations with different id and registration_guid',
      );
    },
  ),

  conformanceCase(
    'last_only returns the most recently created registration that matches',
    ['contract/registrations#last-only'],
    async (target) => {
      const { learner_id, other, guids } = await learner(target);
      checkEqual(
        await found(target, { learner_id, last_only: 't' }),
        [guids[2]],
        'the last registration',
      );
      const inOther = { learner_id, last_only: 't', course_guid: other };
      checkEqual(await found(target, inOther), [guids[1]], 'the last registration for a course');
      checkEqual(
        await found(target, { learner_id: target.learner(), last_only: 't' }),
        [],
        'the last registration of an unknown learner',
      );
    },
  ),

  transportCase(
    'crawl crawls the registrations before they are returned',
    ['contract/registrations#crawl'],
    async (target) => {
      const id = await target.register(await target.course());
      const { last_crawled_at, crawl_status } = onlyRecordOf(
        await index(target, { id, crawl: 't' }),
      );
      checkEqual(crawl_status, 'success', 'crawl_status');
      check(typeof last_crawled_at === 'string', 'last_crawled_at is not set');
    },
  ),

  transportCase(
    'refresh_if_launched crawls registrations launched since their last crawl',
    ['contract/registrations#refresh-if-launched'],
    async (target) => {
      const id = await target.register(await target.course());
      const launch = await target.api.get(`/registration/${id}/launch_url.json`, target.realm);
      checkStatus(launch, 200);
      const { launched_at, last_crawled_at } = onlyRecordOf(
        await index(target, { id, refresh_if_launched: 't' }),
      );
      check(
        String(last_crawled_at) >= String(launched_at),
        'last_crawled_at is before launched_at',
      );
    },
  ),

  conformanceCase(
    'max_age crawls registrations that were synchronized longer ago',
    ['contract/registrations#max-age', 'contract/registrations#synced-at'],
    async (target) => {
      const id = await target.register(await target.course());
      const crawled = onlyRecordOf(await index(target, { id, max_age: '0' }));
      check(typeof crawled['last_crawled_at'] === 'string', 'last_crawled_at is not set');
      check(!('synced_at' in crawled), 'synced_at is shown although fields does not name it');
      const fields = 'last_crawled_at,synced_at';
      const record = onlyRecordOf(await index(target, { id, max_age: '86400', fields }));
      check(
        String(record['synced_at']) >= String(record['last_crawled_at']),
        'synced_at is before last_crawled_at',
      );
      const invalid = { ...target.realm, id, max_age: '-1' };
      checkStatus(await target.api.get('/registration.json', invalid), 500);
    },
  ),

  transportCase(
    'crawl without a filter lists every registration',
    ['contract/registrations#recrawl-limit', 'contract/registrations#recrawl-late'],
    async (target) => {
      const response = await index(target, { crawl: 't', fields: 'id' });
      check(recordsOf(response).length > 0, 'no registration is listed');
    },
  ),

  transportCase(
    'a registration deleted at the provider stays in the index with deleted 1',
    [
      'contract/registrations#deleted',
      'contract/registrations#record-deleted',
      'contract/registrations#deleted-in-index',
    ],
    async (target) => {
      const { id, record } = await deleted(target);
      checkEqual(record['deleted'], 1, 'deleted');
      checkEqual(await found(target, { id }), [id], 'registrations in the index');
    },
  ),

  conformanceCase(
    'crawl leaves a deleted registration as it is',
    ['contract/registrations#crawl-deleted'],
    async (target) => {
      const { id, record } = await deleted(target);
      checkEqual(
        onlyRecordOf(await index(target, { id, crawl: 't' })),
        record,
        'the record after another crawl',
      );
    },
  ),

  conformanceCase(
    'the index leaves out deleted registrations with include_deleted=f',
    ['contract/registrations#include-deleted', 'contract/registrations#deleted-in-index'],
    async (target) => {
      const { id } = await deleted(target);
      checkEqual(await found(target, { id, include_deleted: 't' }), [id], 'with deleted ones');
      checkEqual(await found(target, { id, include_deleted: 'f' }), [], 'without deleted ones');
    },
  ),

  conformanceCase(
    'fields accepts the former names of registration fields',
    ['contract/registrations#former-field-names', 'contract/parameters#former-fields'],
    async (target) => {
      const course_guid = await target.course();
      const id = await target.register(course_guid);
      const shown = async (fields: string) =>
        onlyRecordOf(await target.api.get('/registration.json', { ...target.realm, id, fields }));
      const { hosted_app_id, hosted_course_id } = await shown('hosted_app_id,hosted_course_id');
      checkEqual(
        await shown('scorm_cloud_app_id,scorm-cloud-course-id'),
        { scorm_cloud_app_id: hosted_app_id, scorm_cloud_course_id: hosted_course_id },
        'the fields of the index',
      );
    },
  ),

  conformanceCase(
    'last_only ignores a deleted registration',
    ['contract/registrations#usable'],
    async (target) => {
      const { learner_id } = await deleted(target);
      checkEqual(await found(target, { learner_id, last_only: 't' }), [], 'the last registration');
    },
  ),

  conformanceCase(
    'the index contains inactive registrations with include_inactive only',
    [
      'contract/registrations#inactive-in-index',
      'contract/registrations#include-inactive',
      'contract/registrations#inactive',
    ],
    async (target) => {
      const { learner_id, id } = await inactive(target);
      checkEqual(await found(target, { learner_id }), [], 'registrations in the index');
      const query = { learner_id, include_inactive: 't' };
      const record = onlyRecordOf(await index(target, query));
      checkEqual(
        [record['registration_guid'], record['active']],
        [id, false],
        'the registration with include_inactive',
      );
      const shown = onlyRecordOf(
        await index(target, { id: (await learner(target)).guids[0], include_inactive: 't' }),
      );
      checkEqual(shown['active'], true, 'active of another registration');
    },
  ),

  conformanceCase(
    'last_only, dont_duplicate and include_registrations ignore an inactive registration',
    ['contract/registrations#usable', 'contract/courses#nested-active-only'],
    async (target) => {
      const { learner_id, course, id } = await inactive(target);
      const last = { learner_id, last_only: 't', include_inactive: 't' };
      checkEqual(await found(target, last), [], 'last_only');
      const nested = {
        ...(await target.userKey(learner_id)),
        course_guid: course,
        include_registrations: 't',
      };
      const shown = onlyRecordOf(await target.api.get('/course.json', nested));
      checkEqual(shown['registrations'], null, 'include_registrations');
      const learner = { ...target.realm, learner_id, course_guid: course, dont_duplicate: 't' };
      const fresh = recordOf(await target.api.post('/registration.json', learner), 201);
      check(fresh['registration_guid'] !== id, 'dont_duplicate returned the inactive registration');
    },
  ),

  ...(
    [
      ['PUT', '/registration/'],
      ['POST', '/registration/'],
      ['GET', '/registration/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path}:id sets custom`,
      [
        'contract/registrations#update-routes',
        'contract/registrations#update-custom',
        'contract/registrations#update-404',
        'contract/registrations#record-custom',
        'contract/registrations#guid',
        'contract/formats#operation-update',
        'contract/formats#operation-aliases',
      ],
      async (target) => {
        const id = await target.register(await target.course());
        const custom = { team: ['a', 'b'], seat: 7 };
        const update = (guid: string, query: Parameters) =>
          target.api.send(method, `${path}${guid}.json`, { query: { ...target.realm, ...query } });
        const response = await update(id, { custom: JSON.stringify(custom) });
        checkEqual(recordOf(response)['custom'], custom, response.request);
        checkEqual(
          onlyRecordOf(await index(target, { id }))['custom'],
          custom,
          'custom in the index',
        );
        const known = { custom: '{}' };
        checkError(await update(target.unique('unknown'), known), 404);
        checkError(await update(id, { ...known, complete: 'complete' }), 500);
      },
    ),
  ),
];
