import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { ProviderAccount } from '../provider-account.ts';

/** A learner with three registrations in two courses, in the order in which they were made. */
const learner = (on: Installation) =>
  on.once('learner with registrations', async () => {
    const learner_id = on.learner();
    const [course, other] = [await on.course(), await on.importCourse('other')];
    const guids = [
      await on.register(course, learner_id),
      await on.register(other, learner_id),
      await on.register(course, learner_id),
    ] as const;
    return { learner_id, course, other, guids };
  });

const index = (on: Installation, filters: Parameters) =>
  on.api.get('/registration.json', { ...on.realm, ...filters });
const found = async (on: Installation, filters: Parameters) =>
  valuesOf(await index(on, filters), 'registration_guid').toSorted();

/** A registration that the provider has deleted, and the installation knows it. */
const deleted = (on: Installation) =>
  on.once('deleted registration', async () => {
    const provider = await ProviderAccount.of(on);
    const learner_id = on.learner();
    const id = await on.register(await on.course(), learner_id);
    checkEqual(await provider.deleteRegistration(id), 204, 'deletion at the provider');
    const record = onlyRecordOf(await index(on, { id, crawl: 't' }));
    return { learner_id, id, record };
  });

/** A registration that an invitation has made inactive. */
const inactive = (on: Installation) =>
  on.once('inactive registration', async () => {
    const learner_id = on.learner();
    const course = await on.course();
    const name = on.unique('unlearn');
    const made = { ...on.realm, name, course_guids: JSON.stringify([course]) };
    recordOf(await on.api.post('/invitation.json', made), 201);
    const named = { ...on.realm, name, nodelay: 't' };
    const learners = JSON.stringify([learner_id]);
    recordOf(await on.api.get('/invitation/add_learners.json', { ...named, learners }));
    const [registration] = recordsOf(await index(on, { learner_id }));
    const unlearners = learners;
    recordOf(await on.api.get('/invitation/add_learners.json', { ...named, unlearners }));
    return { learner_id, course, id: String(registration?.['registration_guid']) };
  });

export const registrationCases = [
  trial(
    'GET /registration lists the registrations that match',
    [
      'api-v2: Registration: index, GET /registration',
      'api-v2: Registration: index, 200',
      'api-v2: Operation names, index',
    ],
    async (on) => {
      const { learner_id, guids } = await learner(on);
      checkEqual(await found(on, { learner_id }), guids.toSorted(), 'the registrations');
    },
  ),

  trial('filtered by course_guid', ['api-v2: Registration: index, course_guid'], async (on) => {
    const { learner_id, other, guids } = await learner(on);
    checkEqual(await found(on, { learner_id, course_guid: other }), [guids[1]], 'found');
    checkEqual(await found(on, { course_guid: on.unique('unknown') }), [], 'of no course');
  }),

  trial(
    'filtered by learner_id, whatever its case',
    ['api-v2: Registration: index, learner_id'],
    async (on) => {
      const { learner_id, guids } = await learner(on);
      const upper = { learner_id: learner_id.toUpperCase() };
      checkEqual(await found(on, upper), guids.toSorted(), 'found');
      checkEqual(await found(on, { learner_id: on.learner() }), [], 'of nobody');
    },
  ),

  trial(
    'filtered by registration_guid and id',
    ['decision 16', 'api-v2: Registration record, the GUID is the id'],
    async (on) => {
      const { guids } = await learner(on);
      checkEqual(await found(on, { registration_guid: guids[0] }), [guids[0]], 'found');
      checkEqual(await found(on, { id: guids[0] }), [guids[0]], 'found by id');
      const both = { id: guids[0], registration_guid: guids[1] };
      checkEqual(await found(on, both), [], 'found by two that differ');
    },
  ),

  trial(
    'last_only returns the most recently created one that matches',
    ['api-v2: Registration: index, last_only'],
    async (on) => {
      const { learner_id, other, guids } = await learner(on);
      checkEqual(await found(on, { learner_id, last_only: 't' }), [guids[2]], 'of all');
      const inOther = { learner_id, last_only: 't', course_guid: other };
      checkEqual(await found(on, inOther), [guids[1]], 'of one course');
      checkEqual(await found(on, { learner_id: on.learner(), last_only: 't' }), [], 'of none');
    },
  ),

  trial(
    'crawl asks the provider first',
    ['api-v2: Registration: index, crawl', 'api-v2: States, crawl', 'decision 29'],
    async (on) => {
      const id = await on.register(await on.course());
      const { last_crawled_at, crawl_status } = onlyRecordOf(await index(on, { id, crawl: 't' }));
      checkEqual(crawl_status, 'success', 'crawl_status');
      check(typeof last_crawled_at === 'string', 'last_crawled_at is not set');
    },
  ),

  trial(
    'refresh_if_launched asks for those launched since they were crawled',
    [
      'api-v2: Registration: index, refresh_if_launched',
      'api-v2: States, refresh_if_launched',
      'decision 29',
    ],
    async (on) => {
      const id = await on.register(await on.course());
      const launch = await on.api.get(`/registration/${id}/launch_url.json`, on.realm);
      checkStatus(launch, 200);
      const { launched_at, last_crawled_at } = onlyRecordOf(
        await index(on, { id, refresh_if_launched: 't' }),
      );
      check(String(last_crawled_at) >= String(launched_at), 'it was not crawled after its launch');
    },
  ),

  trial(
    'a crawl of everything is answered, whatever it can ask in time',
    ['decision 29'],
    async (on) => {
      const answer = await index(on, { crawl: 't', fields: 'id' });
      check(recordsOf(answer).length > 0, 'nothing is listed');
    },
  ),

  trial(
    'one deleted at the provider stays in the index, with deleted 1',
    [
      'api-v2: States, deletion at the provider',
      'api-v2: Registration record, deleted',
      'decision 18',
    ],
    async (on) => {
      const { id, record } = await deleted(on);
      checkEqual(record['deleted'], 1, 'deleted');
      checkEqual(await found(on, { id }), [id], 'the index');
    },
  ),

  trial('last_only passes over it', ['decision 18'], async (on) => {
    const { learner_id } = await deleted(on);
    checkEqual(await found(on, { learner_id, last_only: 't' }), [], 'found');
  }),

  trial(
    'inactive ones are left out of the index unless include_inactive asks for them',
    ['decision 18', 'api-v2: States, unlearners'],
    async (on) => {
      const { learner_id, id } = await inactive(on);
      checkEqual(await found(on, { learner_id }), [], 'the index');
      const asked = { learner_id, include_inactive: 't' };
      const record = onlyRecordOf(await index(on, asked));
      checkEqual([record['registration_guid'], record['active']], [id, false], 'with them');
      const shown = onlyRecordOf(
        await index(on, { id: (await learner(on)).guids[0], include_inactive: 't' }),
      );
      checkEqual(shown['active'], true, 'active of another');
    },
  ),

  trial(
    'inactive ones are the answer of neither last_only, dont_duplicate nor include_registrations',
    ['decision 18'],
    async (on) => {
      const { learner_id, course, id } = await inactive(on);
      const last = { learner_id, last_only: 't', include_inactive: 't' };
      checkEqual(await found(on, last), [], 'last_only');
      const nested = {
        ...(await on.userKey(learner_id)),
        course_guid: course,
        include_registrations: 't',
      };
      const shown = onlyRecordOf(await on.api.get('/course.json', nested));
      checkEqual(shown['registrations'], null, 'include_registrations');
      const learner = { ...on.realm, learner_id, course_guid: course, dont_duplicate: 't' };
      const fresh = recordOf(await on.api.post('/registration.json', learner), 201);
      check(fresh['registration_guid'] !== id, 'dont_duplicate answered it');
    },
  ),

  ...(
    [
      ['PUT', '/registration/'],
      ['POST', '/registration/'],
      ['GET', '/registration/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path}:id sets custom`,
      [
        'decision 22',
        'api-v2: Registration record, custom',
        'api-v2: Registration record, the GUID is the id',
        'api-v2: Operation names, update',
        'api-v2: Operation names, gcreate and gupdate',
      ],
      async (on) => {
        const id = await on.register(await on.course());
        const custom = { team: ['a', 'b'], seat: 7 };
        const update = (guid: string, query: Parameters) =>
          on.api.send(method, `${path}${guid}.json`, { query: { ...on.realm, ...query } });
        const answer = await update(id, { custom: JSON.stringify(custom) });
        checkEqual(recordOf(answer)['custom'], custom, answer.request);
        checkEqual(onlyRecordOf(await index(on, { id }))['custom'], custom, 'the index');
        const known = { custom: '{}' };
        checkRefused(await update(on.unique('unknown'), known), 404);
        checkRefused(await update(id, { ...known, complete: 'complete' }), 500);
      },
    ),
  ),
];
