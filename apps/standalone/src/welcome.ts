import type { Quickstart } from '@registrar/quickstart';

/** Where the parts of a running installation are, for {@link welcome}. */
export interface Whereabouts {
  readonly providerUrl: string;
  /** Signs an operator in to the console, once; null without a console. */
  readonly signInLink: string | null;
  readonly dataDirectory: string;
  readonly log: string;
  /** The file of the quickstart facts. */
  readonly quickstartFile: string;
  /** What the user should know about this start, a line each. */
  readonly notices: readonly string[];
}

/**
 * What a person sees when an installation is ready: what runs where, and the commands of README.md.
 * They read the secret key from the file, so that it does not stay on the terminal.
 */
export function welcome(facts: Quickstart, where: Whereabouts): string {
  const reference = new URL('/docs', facts.base_url).href;
  return `
Registrar is ready.

  API        ${facts.base_url}
  Reference  ${reference}
  Provider   ${where.providerUrl}   (holds and plays the courses)${consoleLine(where.signInLink)}
  Data       ${where.dataDirectory}   (kept; log: ${where.log})${where.notices.map((notice) => `\n             ${notice}`).join('')}
  Operate    npx registrar --help   (realms, applications, keys, stored queries)

Paste these to get an API key, list the courses, enrol a learner, launch the course and read the progress:

  API=${facts.base_url}
  field() { grep -o "\\"$1\\": *\\"[^\\"]*" | cut -d'"' -f4; }
  KEY=$(curl -s $API/api_key.json -d realm_guid=$(field realm_guid < ${where.quickstartFile}) \\
    -d realm_secret_key=$(field realm_secret_key < ${where.quickstartFile}) | field access_token)
  curl -s "$API/course.json?api_key=$KEY"
  REG=$(curl -s $API/registration.json -d api_key=$KEY -d course_guid=${facts.course_guid} \\
    -d learner_id=learner@example.com -d dont_duplicate=t | field registration_guid)
  curl -s "$API/registration/$REG/launch_url.json?api_key=$KEY&redirect_url=${encodeURIComponent(reference)}"
  curl -s "$API/registration.csv?fields=learner_id,course_guid,complete,success,score&refresh_if_launched=t&api_key=$KEY"

The same facts are in ${where.quickstartFile}. Ctrl-C stops everything.
`;
}

const consoleLine = (signInLink: string | null): string =>
  signInLink === null
    ? ''
    : `
  Console    ${signInLink}
             (the link signs an operator in once, within 15 minutes)`;
