import type { Quickstart } from '@registrar/quickstart';

/** Where the parts of a running installation are, for {@link welcome}. */
export interface Whereabouts {
  readonly providerUrl: string;
  readonly dataDirectory: string;
  readonly log: string;
  /** The file of the quickstart facts. */
  readonly quickstartFile: string;
  /** What the user should know about this start, a line each. */
  readonly notices: readonly string[];
}

/** What a person sees when an installation is ready: what runs where, and lines to paste. */
export function welcome(facts: Quickstart, where: Whereabouts): string {
  return `
Registrar is ready.

  API        ${facts.base_url}
  Reference  ${new URL('/docs', facts.base_url).href}
  Provider   ${where.providerUrl}   (holds and plays the courses)
  Data       ${where.dataDirectory}   (kept; log: ${where.log})${where.notices.map((notice) => `\n             ${notice}`).join('')}
  Operate    npx registrar --help   (realms, applications, keys, stored queries)

Paste these to get an API key, list the courses, enrol a learner and launch the course:

  API=${facts.base_url}
  KEY=$(curl -s $API/api_key.json -d realm_guid=${facts.realm_guid} \\
    -d realm_secret_key=${facts.realm_secret_key} | grep -o '"access_token":"[^"]*' | cut -d'"' -f4)
  curl -s "$API/course.json?api_key=$KEY"
  REG=$(curl -s $API/registration.json -d api_key=$KEY -d course_guid=${facts.course_guid} \\
    -d learner_id=ada@example.com -d fname=Ada -d lname=Lovelace \\
    -d sc_app_id=${facts.sc_app_id} -d sc_secret_key=${facts.sc_secret_key} |
    grep -o '"registration_guid":"[^"]*' | cut -d'"' -f4)
  curl -s "$API/registration/$REG/launch_url.json?api_key=$KEY"
  curl -s "$API/registration.json?api_key=$KEY&refresh_if_launched=t"

The same facts are in ${where.quickstartFile}. Ctrl-C stops everything.
`;
}
