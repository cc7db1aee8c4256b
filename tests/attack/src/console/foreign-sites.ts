import { type ConsoleClient, ownHeaders } from './console-client.ts';

/** What another site can make a browser send with a POST: without these, it is a page of the console. */
const foreignHeaders: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://attacker.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': '' },
  // A browser names itself; an Origin beside it is no way around.
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
  {},
];

/** What a form sends, also with a body that is JSON. */
const formTypes = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
];

const realmName = 'created by another site';

/**
 * Tries changes with the session of an operator as another site would cause them. Returns the violations: nothing
 * changes, and no session begins or ends.
 */
export async function tryForeignSites(client: ConsoleClient, cookie: string): Promise<string[]> {
  const violations: string[] = [];
  const change = JSON.stringify({ name: realmName });
  const attempts = [
    ...foreignHeaders.map((headers) => ({ 'content-type': 'application/json', ...headers })),
    ...formTypes.map((type) => ({ ...ownHeaders, 'content-type': type })),
  ];
  for (const headers of attempts) {
    for (const [path, body] of [
      ['/api/calls/realms.create', change],
      ['/api/sign-out', '{}'],
      ['/api/sign-out-everywhere', '{}'],
      ['/api/sign-in/link', '{"token":"x"}'],
    ] as const) {
      const { status } = await client.post(path, body, { ...headers, cookie });
      if (status >= 400 && status < 500 && status !== 404) continue;
      violations.push(`${path} with ${JSON.stringify(headers)} got ${status}`);
    }
    const read = await client.get('/api/exports/registrations', { ...headers, cookie });
    if (headers['content-type'] === 'application/json' && read.status < 400)
      violations.push(`an export with ${JSON.stringify(headers)} got ${read.status}`);
  }
  // No call changes anything by GET.
  const { status } = await client.get('/api/calls/realms.create', { ...ownHeaders, cookie });
  if (status < 400) violations.push(`a call by GET got ${status}`);
  if (!(await client.isSignedIn(cookie))) violations.push('another site ended the session');
  const { text } = await client.call(cookie, 'realms.list', { text: realmName });
  if (text.includes(realmName)) violations.push('another site created a realm');
  return violations;
}

/** Returns the responses that another site could show in a frame, or read. */
export async function tryFrames(client: ConsoleClient, cookie: string): Promise<string[]> {
  const violations: string[] = [];
  for (const path of [
    '/',
    '/sign-in',
    '/overview',
    '/api/sign-in',
    '/unknown',
    '/assets/none.js',
  ]) {
    const { headers } = await client.get(path, { cookie, 'sec-fetch-site': 'same-origin' });
    const policy = String(headers['content-security-policy']);
    if (!policy.includes("frame-ancestors 'none'") || headers['x-frame-options'] !== 'DENY') {
      violations.push(`${path} may be framed`);
    }
    if (/unsafe-|\*/.test(policy)) violations.push(`the policy of ${path} is ${policy}`);
    if (headers['access-control-allow-origin'] !== undefined) {
      violations.push(`${path} can be read by other origins`);
    }
  }
  return violations;
}
