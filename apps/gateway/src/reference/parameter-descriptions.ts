/** What each parameter means, in the reference: by operation, or for all that have it. */
export const parameterDescriptions: Readonly<Record<string, string>> = {
  'api_key create.user_email': 'Binds the key to this user, who is made if there is none.',
  'api_key create.course_provider_id':
    'With a realm pair: binds the key to this provider application.',
  'course create.course_guid':
    'The id of the new course, or of the course that the provider holds.',
  'course create.course_provider_id':
    'Which provider application, where the access reaches several.',
  'course create.title': "Instead of the package's own title.",
  'course index.include_registrations':
    "With a key that is bound to a user: nests that user's most recent registration.",
  'registration create.course_guid': 'The course.',
  'registration create.learner_id':
    "The learner's e-mail address; a key that is bound to a user may leave it out.",
  'registration create.dont_duplicate':
    'Answers the existing registration of this course and learner, if there is one.',
  'registration create.check_hosted': 'Looks for an existing one at the provider too.',
  'registration create.fname': "The learner's first name at the provider.",
  'registration create.lname': "The learner's last name at the provider.",
  'registration index.last_only': 'Only the most recently created one.',
  'registration index.crawl': 'Asks the provider first, for at most 100 registrations.',
  'registration index.refresh_if_launched':
    'Asks the provider first for those launched since they were last crawled.',
  'registration index.include_inactive':
    'Shows inactive ones too, and `active` in each registration.',
  'registration launch_url.review': 'Opens the course for reading; no progress is tracked.',
  'registration launch_url.redirect_url':
    'Where the browser goes when the learner leaves the course.',
  'registration launch_url.tags': 'Taken for the sake of older clients; has no effect.',
  'registration launch_url.launching': 'Deprecated; has no effect.',
  'registration update.custom': 'JSON text.',
  'invitation add_learners.name': 'The invitation.',
  'invitation add_learners.learners': 'A JSON array of e-mail addresses to add.',
  'invitation add_learners.unlearners': 'A JSON array of e-mail addresses to remove.',
  'invitation add_learners.nodelay':
    'Registrations exist at the provider when the answer comes, not soon after.',
  'invitation add_learners.skip_external_initialization':
    'Registrations are never made at the provider (for tests).',
  'invitation add_learners.show_registration_guids':
    'Shows the registrations by learner and course.',
  'invitation index.id': 'Exactly this invitation.',
  'run.name': "The query's name. Its own parameters are further request parameters.",
  'run.query_scope': '`bright` for built-in queries.',
  course_guid: 'Exactly this course.',
  course_guids: 'A JSON array of course GUIDs.',
  custom: 'Any text, usually JSON.',
  description: 'What it is for.',
  email: "The user's e-mail address.",
  enabled: 'Whether learners can be added.',
  license: 'Whether it works as a licence with seats (in `custom`, `license_data`).',
  avoid_duplicate_registrations: 'Whether learners keep the registration that they have.',
  no_updates_allowed: 'Whether its learners stay as they are.',
  invitation_template_id: 'The template of its messages.',
  id: 'The same as the GUID.',
  learner_id: "Exactly this learner's e-mail address, without regard to case.",
  registration_guid: 'Exactly this registration.',
  realm_role_id: '1 for a learner.',
  name: 'Its name.',
  title: 'Its title.',
  body: 'Its text.',
  markup: 'The language that its text is written in.',
  mimetype: 'What its text becomes.',
};

/** @throws when a parameter is not described */
export function descriptionOf(operation: string, parameter: string): string {
  const words =
    parameterDescriptions[`${operation}.${parameter}`] ?? parameterDescriptions[parameter];
  if (words) return words;
  throw new Error(`the parameter ${parameter} of ${operation} is not described`);
}
