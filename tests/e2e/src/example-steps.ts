import { type sampleCourseNames } from '@registrar/sample-courses';

/** A request of the reference, with placeholders that earlier responses have filled. */
export interface ExampleStep {
  /** The operation's name, under which the reference shows the response. */
  readonly operation: string;
  /** What distinguishes this example of the operation from its first one. */
  readonly variant?: string;
  /** The name of the `<!-- example -->` mark in the documentation that shows the response. */
  readonly place?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query string, with the placeholders `$KEY`, `$USER_KEY`, `$REALM`, `$PROVIDER` and `$REG`. */
  readonly path: string;
  /** The fields of the form. */
  readonly form?: readonly string[];
  /** The package that is sent as `file`. */
  readonly file?: (typeof sampleCourseNames)[number] | 'draft';
  /** A placeholder, and the property of the response that fills it. */
  readonly fills?: readonly [placeholder: string, property: string];
  /** Whether the course is played at its launch URL after the response. */
  readonly plays?: boolean;
}

const createUserKey = (place: string): ExampleStep => ({
  operation: '',
  place,
  method: 'POST',
  path: '/api_key.json',
  form: [
    'realm_guid=$REALM_GUID',
    'realm_secret_key=$REALM_SECRET_KEY',
    'user_email=learner@example.com',
  ],
  fills: ['USER_KEY', 'access_token'],
});

/** The requests of the documentation's tour, in order. */
export const exampleSteps: readonly ExampleStep[] = [
  {
    operation: 'api_key create',
    place: 'api-key',
    method: 'POST',
    path: '/api_key.json',
    form: ['realm_guid=$REALM_GUID', 'realm_secret_key=$REALM_SECRET_KEY'],
    fills: ['KEY', 'access_token'],
  },
  {
    operation: 'course index',
    place: 'courses',
    method: 'GET',
    path: '/course.json?api_key=$KEY',
  },
  {
    operation: '',
    place: 'courses-xml',
    method: 'GET',
    path: '/course.xml?fields=sc-course-id,title,registration-count,updated-at&api_key=$KEY',
  },
  {
    operation: 'course create',
    place: 'course-create',
    method: 'POST',
    path: '/course.json',
    form: ['api_key=$KEY', 'course_guid=fire-safety', 'custom={"level":1}'],
    file: 'fire-safety',
  },
  {
    operation: 'course check',
    place: 'course-check',
    method: 'POST',
    path: '/course/check.json',
    form: ['api_key=$KEY'],
    file: 'draft',
  },
  {
    operation: 'course update',
    place: 'course-update',
    method: 'PUT',
    path: '/course/fire-safety.json',
    form: ['api_key=$KEY', 'title=Fire safety at work'],
  },
  {
    operation: 'course show',
    place: 'course-show',
    method: 'GET',
    path: '/course/fire-safety.json?api_key=$KEY',
  },
  {
    operation: 'course_provider index',
    place: 'course-providers',
    method: 'GET',
    path: '/course_provider.json?api_key=$KEY',
  },
  {
    operation: 'registration create',
    place: 'registration-create',
    method: 'POST',
    path: '/registration.json',
    form: [
      'api_key=$KEY',
      'course_guid=first-aid-basics',
      'learner_id=learner@example.com',
      'fname=Robin',
      'lname=Learner',
    ],
    fills: ['REG', 'registration_guid'],
  },
  {
    operation: 'registration launch_url',
    place: 'launch',
    method: 'GET',
    path: '/registration/$REG/launch_url.json?api_key=$KEY&redirect_url=http%3A%2F%2Flocalhost%3A8080%2Fdocs',
    plays: true,
  },
  {
    operation: 'registration index',
    place: 'registrations',
    method: 'GET',
    path: '/registration.json?learner_id=learner@example.com&refresh_if_launched=t&api_key=$KEY',
  },
  {
    operation: '',
    place: 'registrations-csv',
    method: 'GET',
    path: '/registration.csv?fields=learner_id,course_guid,complete,success,score&refresh_if_launched=t&api_key=$KEY',
  },
  {
    operation: 'registration show',
    place: 'registration-show',
    method: 'GET',
    path: '/registration/$REG.json?fields=registration_guid,complete,score,active&crawl=t&api_key=$KEY',
  },
  createUserKey('user-key'),
  {
    operation: 'course index',
    variant: 'include_registrations',
    place: 'courses-with-registrations',
    method: 'GET',
    path: '/course.json?include_registrations=t&fields=course_guid,title,registrations.registration_guid,registrations.complete,registrations.score&api_key=$USER_KEY',
  },
  {
    operation: 'registration update',
    place: 'registration-update',
    method: 'PUT',
    path: '/registration/$REG.json?fields=registration_guid,custom',
    form: ['api_key=$KEY', 'custom={"department":"sales"}'],
  },
  {
    operation: 'registration gcustom',
    place: 'registration-gcustom',
    method: 'GET',
    path: '/registration/$REG/gcustom.json?key=client&page[seen]=2&fields=registration_guid,custom&api_key=$KEY',
  },
  {
    operation: 'invitation create',
    place: 'invitation-create',
    method: 'POST',
    path: '/invitation.json',
    form: [
      'api_key=$KEY',
      'name=spring',
      'license=t',
      'course_guids=["first-aid-basics","fire-safety"]',
      'custom={"license":true,"license_data":{"first-aid-basics":{"seats_available":2},"fire-safety":{"seats_available":1}}}',
    ],
    fills: ['INVITATION', 'id'],
  },
  {
    operation: 'invitation show',
    place: 'invitation-show',
    method: 'GET',
    path: '/invitation/$INVITATION.json?fields=name,course_guids,learners&api_key=$KEY',
  },
  {
    operation: 'invitation add_learners',
    place: 'add-learners',
    method: 'POST',
    path: '/invitation/add_learners.json',
    form: [
      'api_key=$KEY',
      'name=spring',
      'learners=["one@example.com","two@example.com"]',
      'api_template=extended',
      'nodelay=t',
    ],
  },
  {
    operation: 'invitation update',
    place: 'invitation-update',
    method: 'GET',
    path: '/invitation/gupdate.json?name=spring&description=Spring%20courses&api_key=$KEY',
  },
  {
    operation: 'invitation index',
    place: 'invitations',
    method: 'GET',
    path: '/invitation.json?name=spring&api_key=$KEY',
  },
  {
    operation: 'realm_user create',
    place: 'realm-user-create',
    method: 'POST',
    path: '/realm_user.json',
    form: ['api_key=$KEY', 'email=teacher@example.com', 'custom={"badge":7}'],
  },
  {
    operation: 'realm_user update',
    place: 'realm-user-update',
    method: 'GET',
    path: '/realm_user/gupdate.json?email=teacher@example.com&realm_role_id=2&api_key=$KEY',
  },
  {
    operation: 'realm_user index',
    place: 'realm-users',
    method: 'GET',
    path: '/realm_user.json?email=teacher@example.com&api_key=$KEY',
  },
  {
    operation: 'realm_user gcustom',
    place: 'realm-user-gcustom',
    method: 'POST',
    path: '/realm_user/gcustom.json',
    form: ['api_key=$KEY', 'email=teacher@example.com', 'key=hostdata', 'site[roles][]=editor'],
  },
  {
    operation: 'realm_user autocomplete',
    place: 'realm-user-autocomplete',
    method: 'GET',
    path: '/realm_user/autocomplete.json?q=teach&api_key=$KEY',
  },
  {
    operation: 'template create',
    place: 'template-create',
    method: 'POST',
    path: '/template.json',
    form: [
      'api_key=$KEY',
      'name=welcome',
      'body=Welcome to {{title}}',
      'markup=mustache',
      'mimetype=text/plain',
    ],
    fills: ['TEMPLATE', 'id'],
  },
  {
    operation: 'template update',
    place: 'template-update',
    method: 'GET',
    path: '/template/gupdate.json?name=welcome&body=Welcome!&api_key=$KEY',
  },
  {
    operation: 'template index',
    place: 'templates',
    method: 'GET',
    path: '/template.json?markup=mustache&api_key=$KEY',
  },
  {
    operation: 'initialize',
    place: 'initialize',
    method: 'GET',
    path: '/initialize.json?api_key=$KEY',
  },
  {
    operation: 'run',
    place: 'run',
    method: 'GET',
    path: '/run.json?name=completion_by_course&query_scope=bright&api_key=$KEY',
  },
  {
    operation: 'stored_query run',
    place: 'stored-query-run',
    method: 'GET',
    path: '/stored_query/run.json?name=bright_completion_matrix&guid_prefix=first&api_key=$KEY',
  },
  {
    operation: 'util reportage_urls',
    method: 'GET',
    path: '/util/reportage_urls.json?api_key=$KEY',
  },
  {
    operation: 'api_key renew',
    place: 'api-key-renew',
    method: 'POST',
    path: '/api_key/renew.json',
    form: ['api_key=$KEY'],
  },
  {
    operation: 'template delete',
    place: 'template-delete',
    method: 'DELETE',
    path: '/template/$TEMPLATE.json?api_key=$KEY',
  },
  {
    operation: 'invitation delete',
    place: 'invitation-delete',
    method: 'DELETE',
    path: '/invitation/$INVITATION.json?fields=id,name,learners&api_key=$KEY',
  },
  {
    operation: 'registration delete',
    place: 'registration-delete',
    method: 'DELETE',
    path: '/registration/$REG.json?fields=registration_guid,learner_id,complete,deleted&api_key=$KEY',
  },
  {
    operation: 'course delete',
    place: 'course-delete',
    method: 'DELETE',
    path: '/course/fire-safety.json?fields=id,course_guid,title&api_key=$KEY',
  },
  createUserKey('api-key-user'),
  {
    operation: 'api_key delete',
    place: 'api-key-delete',
    method: 'DELETE',
    path: '/api_key.json?api_key=$USER_KEY',
  },
];
