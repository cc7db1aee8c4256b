import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  textOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import { ProviderAccount } from '../provider-account.ts';
import { addLearners, invite, learnersOf, registrationsOf } from './invitation-calls.ts';

export const addLearnersCases = [
  trial(
    'add_learners adds learners, and each gets a registration for each course',
    [
      'api-v2: Invitation: add_learners, GET /invitation/add_learners',
      'api-v2: Invitation: add_learners, name',
      'api-v2: Invitation: add_learners, learners',
      'api-v2: Invitation: add_learners, public response',
      'api-v2: Invitation: add_learners, 200',
    ],
    async (on) => {
      const courses = [await on.course(), await on.importCourse('second')];
      const learners = [on.learner(), on.learner()];
      const { name } = await invite(on, courses);
      const record = recordOf(await addLearners(on, { name, learners, nodelay: 't' }));
      checkEqual(record['name'], name, 'name');
      checkEqual(learnersOf(record), learners.toSorted(), 'learners');
      checkEqual((record['registration_guids'] as unknown[]).length, 4, 'registration_guids');
      for (const learner of learners) {
        const made = await registrationsOf(on, learner);
        const their = made.map((each) => each['course_guid']).toSorted();
        checkEqual(their, courses.toSorted(), 'the courses of a learner');
      }
    },
  ),

  trial(
    'a learner who is there already stays once, with the same registration',
    ['api-v2: Invitation: add_learners, learners'],
    async (on) => {
      const learner = on.learner();
      const { name } = await invite(on, [await on.course()]);
      for (const learners of [[learner], [learner, learner]]) {
        const record = recordOf(await addLearners(on, { name, learners, nodelay: 't' }));
        checkEqual(learnersOf(record), [learner], 'learners');
      }
      checkEqual((await registrationsOf(on, learner)).length, 1, 'the number of registrations');
    },
  ),

  trial(
    'unlearners are removed, and their registrations marked inactive',
    ['api-v2: Invitation: add_learners, unlearners', 'api-v2: States, unlearners'],
    async (on) => {
      const [stays, leaves] = [on.learner(), on.learner()];
      const { name } = await invite(on, [await on.course()]);
      await addLearners(on, { name, learners: [stays, leaves], nodelay: 't' });
      const record = recordOf(await addLearners(on, { name, unlearners: [leaves] }));
      checkEqual(learnersOf(record), [stays], 'learners');
      checkEqual((await registrationsOf(on, leaves)).length, 0, 'active registrations');
      const all = { ...on.realm, learner_id: leaves, include_inactive: 't' };
      const inactive = valuesOf(await on.api.get('/registration.json', all), 'active');
      checkEqual(inactive, [false], 'active');
      checkEqual((await registrationsOf(on, stays)).length, 1, 'registrations of the other');
    },
  ),

  trial(
    'the extended template answers the record, the registrations by learner and course, and messages',
    [
      'api-v2: Invitation: add_learners, api_template',
      'api-v2: Invitation: add_learners, record',
      'api-v2: Invitation: add_learners, registration_guids',
      'api-v2: Invitation: add_learners, messages',
    ],
    async (on) => {
      const course = await on.course();
      const learner = on.learner();
      const { name } = await invite(on, [course]);
      const asked = { name, learners: [learner], nodelay: 't', api_template: 'extended' };
      const answer = recordOf(await addLearners(on, asked));
      checkEqual(
        Object.keys(answer).toSorted(),
        ['messages', 'record', 'registration_guids'],
        'the fields',
      );
      const record = answer['record'] as Record<string, unknown>;
      checkEqual(record['name'], name, 'name');
      check('invitation_template_id' in record && 'created_at' in record, 'it is not extended');
      const [registration] = await registrationsOf(on, learner);
      const guids = answer['registration_guids'] as Record<string, Record<string, unknown>>;
      const { title, registration_guid } = guids[learner]?.[course] as Record<string, unknown>;
      checkEqual(registration_guid, registration?.['registration_guid'], 'registration_guid');
      check(typeof title === 'string' && title !== '', 'there is no title');
      check(Array.isArray(answer['messages']), 'messages is no array');
      checkStatus(await on.api.get('/invitation/add_learners.xml', { ...on.realm, name }), 200);
    },
  ),

  trial(
    'show_registration_guids adds that map to the public answer',
    ['api-v2: Invitation: add_learners, show_registration_guids', 'decision 24'],
    async (on) => {
      const course = await on.course();
      const learner = on.learner();
      const { name } = await invite(on, [course]);
      const asked = { name, learners: [learner], nodelay: 't', show_registration_guids: 't' };
      const record = recordOf(await addLearners(on, asked));
      const guids = record['registration_guids'] as Record<string, Record<string, object>>;
      check('registration_guid' in (guids[learner]?.[course] ?? {}), 'it lacks the learner’s');
      checkEqual(record['name'], name, 'name');
    },
  ),

  trial(
    'with nodelay the registrations are at the provider when the answer comes',
    ['api-v2: Invitation: add_learners, nodelay'],
    async (on) => {
      const learner = on.learner();
      const { name } = await invite(on, [await on.course()]);
      await addLearners(on, { name, learners: [learner], nodelay: 'true' });
      const [registration] = await registrationsOf(on, learner);
      const guid = String(registration?.['registration_guid']);
      checkStatus(await on.api.get(`/registration/${guid}/launch_url.json`, on.realm), 200);
    },
  ),

  trial(
    'without nodelay they come soon after',
    ['api-v2: Invitation: add_learners, nodelay'],
    async (on) => {
      const provider = await ProviderAccount.of(on);
      const learner = on.learner();
      const { name } = await invite(on, [await on.course()]);
      await addLearners(on, { name, learners: [learner] });
      const until = Date.now() + 30_000;
      for (;;) {
        const [registration] = await registrationsOf(on, learner);
        const guid = registration && textOf(registration, 'registration_guid');
        if (guid && (await provider.holdsRegistration(guid))) return;
        check(Date.now() < until, 'the provider does not hold it after 30 seconds');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  ),

  trial(
    'with skip_external_initialization the provider hears nothing of them',
    ['api-v2: Invitation: add_learners, skip_external_initialization'],
    async (on) => {
      const provider = await ProviderAccount.of(on);
      const course = await on.course();
      const learner = on.learner();
      const { name } = await invite(on, [course]);
      const flags = { nodelay: '1', skip_external_initialization: '1', api_template: 'extended' };
      const answer = recordOf(await addLearners(on, { name, learners: [learner], ...flags }));
      const guids = answer['registration_guids'] as Record<string, Record<string, never>>;
      const { registration_guid } = guids[learner]?.[course] as unknown as Record<string, string>;
      check(registration_guid, 'there is no registration_guid');
      check(!(await provider.holdsRegistration(registration_guid)), 'the provider holds it');
    },
  ),

  trial(
    'an invitation that is not named, or not there, is not found',
    ['api-v2: Invitation: add_learners, 404', 'api-v2: Errors, 404'],
    async (on) => {
      checkRefused(await addLearners(on, { learners: [on.learner()] }), 404);
      checkRefused(await addLearners(on, { name: '', learners: [on.learner()] }), 404);
      const name = on.unique('unknown');
      checkRefused(await addLearners(on, { name, learners: [on.learner()] }), 404);
    },
  ),

  trial(
    'lists that are no JSON arrays of addresses are refused, and nothing changes',
    ['api-v2: Invitation: add_learners, 500', 'api-v2: Errors, 500'],
    async (on) => {
      const { name } = await invite(on, [await on.course()]);
      const good = on.learner();
      for (const wrong of ['no json', '{}', '"a@example.com"', `["${good}","no address"]`, '[1]']) {
        for (const parameter of ['learners', 'unlearners']) {
          const query: Parameters = { ...on.realm, name, [parameter]: wrong };
          checkRefused(await on.api.get('/invitation/add_learners.json', query), 500);
        }
      }
      checkRefused(await addLearners(on, { name, learners: [good], colour: 'blue' }), 500);
      const kept = await on.api.get('/invitation.json', { ...on.realm, name });
      checkEqual(onlyRecordOf(kept)['learners'], [], 'learners');
    },
  ),

  trial(
    'add_learners is refused without access',
    ['api-v2: Invitation: add_learners, 401'],
    async (on) => {
      const { name } = await invite(on, []);
      checkRefused(await on.api.get('/invitation/add_learners.json', { name }), 401);
    },
  ),
];
