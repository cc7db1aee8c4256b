import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  type JsonRecord,
  onlyRecordOf,
  recordOf,
  textOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { checkSoon } from '../check-soon.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { ProviderAccount } from '../provider-account.ts';
import { parseCsv, parseXml } from '../readers.ts';
import { addLearners, invite, learnersOf, registrationsOf } from './invitation-calls.ts';

export const addLearnersCases = [
  transportCase(
    'GET /invitation/add_learners adds learners with a registration for each course',
    [
      'contract/invitations#add-route',
      'contract/invitations#add-name',
      'contract/invitations#learners',
      'contract/invitations#add-public-response',
    ],
    async (target) => {
      const courses = [await target.course(), await target.importCourse('second')];
      const learners = [target.learner(), target.learner()];
      const { name } = await invite(target, courses);
      const record = recordOf(await addLearners(target, { name, learners, nodelay: 't' }));
      checkEqual(record['name'], name, 'name');
      checkEqual(learnersOf(record), learners.toSorted(), 'learners');
      checkEqual((record['registration_guids'] as unknown[]).length, 4, 'registration_guids');
      for (const learner of learners) {
        const registrations = await registrationsOf(target, learner);
        const guids = registrations.map((each) => each['course_guid']).toSorted();
        checkEqual(guids, courses.toSorted(), 'the courses of a learner');
      }
    },
  ),

  conformanceCase(
    'add_learners keeps a learner who is already in the invitation, with the same registration',
    ['contract/invitations#learners'],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      for (const learners of [[learner], [learner, learner]]) {
        const record = recordOf(await addLearners(target, { name, learners, nodelay: 't' }));
        checkEqual(learnersOf(record), [learner], 'learners');
      }
      checkEqual((await registrationsOf(target, learner)).length, 1, 'the number of registrations');
    },
  ),

  conformanceCase(
    'unlearners are removed, and their registrations become inactive',
    ['contract/invitations#unlearners', 'contract/registrations#inactive'],
    async (target) => {
      const [stays, leaves] = [target.learner(), target.learner()];
      const { name } = await invite(target, [await target.course()]);
      await addLearners(target, { name, learners: [stays, leaves], nodelay: 't' });
      const record = recordOf(await addLearners(target, { name, unlearners: [leaves] }));
      checkEqual(learnersOf(record), [stays], 'learners');
      checkEqual((await registrationsOf(target, leaves)).length, 0, 'active registrations');
      const all = { ...target.realm, learner_id: leaves, include_inactive: 't' };
      const inactive = valuesOf(await target.api.get('/registration.json', all), 'active');
      checkEqual(inactive, [false], 'active');
      checkEqual(
        (await registrationsOf(target, stays)).length,
        1,
        'active registrations of the other learner',
      );
    },
  ),

  conformanceCase(
    'the extended response has record, registration_guids and messages',
    [
      'contract/invitations#add-api-template',
      'contract/invitations#add-extended-response',
      'contract/invitations#add-record',
      'contract/invitations#add-registration-guids',
      'contract/invitations#messages',
    ],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      const { name } = await invite(target, [course]);
      const query = { name, learners: [learner], nodelay: 't', api_template: 'extended' };
      const response = recordOf(await addLearners(target, query));
      checkEqual(
        Object.keys(response).toSorted(),
        ['messages', 'record', 'registration_guids'],
        'the fields',
      );
      const record = response['record'] as Record<string, unknown>;
      checkEqual(record['name'], name, 'name');
      check(
        'invitation_template_id' in record && 'created_at' in record,
        'record has not the fields of the extended template',
      );
      const [registration] = await registrationsOf(target, learner);
      const guids = response['registration_guids'] as Record<
        string,
        Record<string, Record<string, unknown>>
      >;
      const { title, registration_guid } = guids[learner]?.[course] ?? {};
      checkEqual(registration_guid, registration?.['registration_guid'], 'registration_guid');
      check(typeof title === 'string' && title !== '', 'there is no title');
      check(Array.isArray(response['messages']), 'messages is no array');
      checkStatus(
        await target.api.get('/invitation/add_learners.xml', { ...target.realm, name }),
        200,
      );
    },
  ),

  conformanceCase(
    'show_registration_guids adds the map of registrations to the public response',
    ['contract/invitations#show-registration-guids', 'contract/invitations#public-messages'],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      const { name } = await invite(target, [course]);
      const query = { name, learners: [learner], nodelay: 't', show_registration_guids: 't' };
      const record = recordOf(await addLearners(target, query));
      const guids = record['registration_guids'] as Record<string, Record<string, object>>;
      check(
        'registration_guid' in (guids[learner]?.[course] ?? {}),
        'registration_guids lacks the learner',
      );
      checkEqual(record['name'], name, 'name');
      check(Array.isArray(record['messages']), 'messages is no array');
    },
  ),

  conformanceCase(
    'with nodelay, the map names no registration that the provider refuses, and messages tell of it',
    [
      'contract/invitations#nodelay',
      'contract/invitations#absent-registrations',
      'contract/invitations#public-messages',
      'contract/invitations#repeated-creates',
      'contract/registrations#provider-errors',
    ],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const course_guid = await target.importCourse('refused');
      const learner = target.learner();
      const { name } = await invite(target, [course_guid]);
      await provider.deleteCourse(course_guid);
      const query = { name, learners: [learner], nodelay: 't' };
      const shown = { ...query, show_registration_guids: 't' };
      const first = recordOf(await addLearners(target, shown));
      checkEqual(first['registration_guids'], { [learner]: {} }, 'registration_guids');
      const toldIn = (response: JsonRecord) =>
        (response['messages'] as string[]).some(
          (message) =>
            message.startsWith('Not at the course provider') && message.includes(learner),
        );
      check(toldIn(first), 'messages do not name the learner');
      check(
        toldIn(recordOf(await addLearners(target, query))),
        'the public response has no message',
      );
      const [registration] = await registrationsOf(target, learner);
      check(registration?.['provider_errcode'], 'provider_errcode is empty');
      const guid = textOf(registration ?? {}, 'registration_guid');
      await target.uploadCourse({ course_guid });
      await checkSoon(
        () => provider.holdsRegistration(guid),
        'the registration is not tried again',
        120_000,
      );
    },
  ),

  conformanceCase(
    'the map of registrations names the learners of the request alone, and is JSON text in XML and CSV',
    [
      'contract/invitations#add-map-learners',
      'contract/formats#xml-maps',
      'contract/formats#csv-arrays',
    ],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, []);
      await addLearners(target, { name, learners: [target.learner()] });
      const shown = { show_registration_guids: 't' };
      const guidsOf = async (learners: readonly string[]) =>
        recordOf(await addLearners(target, { name, learners, ...shown }))['registration_guids'];
      checkEqual(await guidsOf([learner]), { [learner]: {} }, 'the map of a learner without any');
      checkEqual(await guidsOf([]), {}, 'the map without learners');
      const path = '/invitation/add_learners';
      const again = { ...target.realm, ...shown, name, learners: JSON.stringify([learner]) };
      const text = JSON.stringify({ [learner]: {} });
      const xml = parseXml((await target.api.get(`${path}.xml`, again)).text);
      const element = xml.children.find((child) => child.name === 'registration-guids');
      checkEqual(element?.text, text, 'the map in XML');
      const [row] = parseCsv((await target.api.get(`${path}.csv`, again)).text);
      checkEqual(row?.['registration_guids'], text, 'the map in CSV');
    },
  ),

  transportCase(
    'with nodelay, registrations exist at the provider when the response arrives',
    ['contract/invitations#nodelay'],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      await addLearners(target, { name, learners: [learner], nodelay: 'true' });
      const [registration] = await registrationsOf(target, learner);
      const guid = String(registration?.['registration_guid']);
      checkStatus(await target.api.get(`/registration/${guid}/launch_url.json`, target.realm), 200);
    },
  ),

  transportCase(
    'without nodelay, registrations are created at the provider within 30 seconds',
    ['contract/invitations#nodelay'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      await addLearners(target, { name, learners: [learner] });
      const until = Date.now() + 30_000;
      for (;;) {
        const [registration] = await registrationsOf(target, learner);
        const guid = registration && textOf(registration, 'registration_guid');
        if (guid && (await provider.holdsRegistration(guid))) return;
        check(Date.now() < until, 'the provider does not hold it after 30 seconds');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  ),

  conformanceCase(
    'skip_external_initialization creates no registration at the provider',
    ['contract/invitations#skip-external-initialization'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const course = await target.course();
      const learner = target.learner();
      const { name } = await invite(target, [course]);
      const flags = { nodelay: '1', skip_external_initialization: '1', api_template: 'extended' };
      const response = recordOf(await addLearners(target, { name, learners: [learner], ...flags }));
      const guids = response['registration_guids'] as Record<
        string,
        Record<string, Record<string, string>>
      >;
      const { registration_guid } = guids[learner]?.[course] ?? {};
      check(registration_guid, 'there is no registration_guid');
      check(!(await provider.holdsRegistration(registration_guid)), 'the provider holds it');
    },
  ),

  conformanceCase(
    'add_learners returns 404 for a missing or unknown invitation',
    ['contract/invitations#add-404', 'contract/errors#status-404'],
    async (target) => {
      checkError(await addLearners(target, { learners: [target.learner()] }), 404);
      checkError(await addLearners(target, { name: '', learners: [target.learner()] }), 404);
      const name = target.unique('unknown');
      checkError(await addLearners(target, { name, learners: [target.learner()] }), 404);
    },
  ),

  transportCase(
    'add_learners returns 500 for a malformed list, and changes nothing',
    ['contract/invitations#add-500', 'contract/errors#status-500'],
    async (target) => {
      const { name } = await invite(target, [await target.course()]);
      const good = target.learner();
      for (const wrong of ['no json', '{}', '"a@example.com"', `["${good}","no address"]`, '[1]']) {
        for (const parameter of ['learners', 'unlearners']) {
          const query: Parameters = { ...target.realm, name, [parameter]: wrong };
          checkError(await target.api.get('/invitation/add_learners.json', query), 500);
        }
      }
      checkError(await addLearners(target, { name, learners: [good], color: 'blue' }), 500);
      const kept = await target.api.get('/invitation.json', { ...target.realm, name });
      checkEqual(onlyRecordOf(kept)['learners'], [], 'learners');
    },
  ),

  conformanceCase(
    'add_learners returns 401 without access',
    ['contract/invitations#realm-access-only', 'contract/errors#status-401'],
    async (target) => {
      const { name } = await invite(target, []);
      checkError(await target.api.get('/invitation/add_learners.json', { name }), 401);
    },
  ),

  transportCase(
    'POST /invitation/add_learners takes long lists in its body',
    ['contract/invitations#add-post', 'contract/invitations#learners'],
    async (target) => {
      const learners = Array.from({ length: 200 }, () => target.learner());
      const { name } = await invite(target, []);
      const parameters = { ...target.realm, name, learners: JSON.stringify(learners) };
      const record = recordOf(await target.api.post('/invitation/add_learners.json', parameters));
      checkEqual(learnersOf(record), learners.toSorted(), 'learners');
    },
  ),

  conformanceCase(
    'a learner in both lists stays in the invitation',
    ['contract/invitations#kept-learner'],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      recordOf(await addLearners(target, { name, learners: [learner] }));
      const both = { name, learners: [learner], unlearners: [learner] };
      checkEqual(learnersOf(recordOf(await addLearners(target, both))), [learner], 'learners');
      checkEqual((await registrationsOf(target, learner)).length, 1, 'active registrations');
    },
  ),

  conformanceCase(
    'a learner who is added again gets the former registration back',
    ['contract/invitations#restored-registration'],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      recordOf(await addLearners(target, { name, learners: [learner] }));
      const [former] = await registrationsOf(target, learner);
      recordOf(await addLearners(target, { name, unlearners: [learner] }));
      checkEqual((await registrationsOf(target, learner)).length, 0, 'active registrations');
      recordOf(await addLearners(target, { name, learners: [learner] }));
      const guids = (await registrationsOf(target, learner)).map(
        (record) => record['registration_guid'],
      );
      checkEqual(guids, [former?.['registration_guid']], 'registrations');
    },
  ),

  conformanceCase(
    'a registration that another invitation shares stays active',
    ['contract/invitations#shared-registration'],
    async (target) => {
      const learner = target.learner();
      const courses = [await target.course()];
      const first = await invite(target, courses);
      const second = await invite(target, courses, { avoid_duplicate_registrations: 't' });
      for (const { name } of [first, second]) {
        recordOf(await addLearners(target, { name, learners: [learner] }));
      }
      checkEqual((await registrationsOf(target, learner)).length, 1, 'registrations of both');
      recordOf(await addLearners(target, { name: first.name, unlearners: [learner] }));
      checkEqual((await registrationsOf(target, learner)).length, 1, 'active registrations');
    },
  ),

  transportCase(
    'add_learners returns 500 for more than 60,000 registrations',
    ['contract/invitations#add-limit'],
    async (target) => {
      const others = ['limit-a', 'limit-b', 'limit-c'].map((word) => target.importCourse(word));
      const { name } = await invite(target, [
        await target.course(),
        ...(await Promise.all(others)),
      ]);
      const learners = JSON.stringify(new Array(15_001).fill(target.learner()));
      const parameters = { ...target.realm, name, learners };
      checkError(await target.api.post('/invitation/add_learners.json', parameters), 500);
    },
  ),
];
