import type { TestIdentityProvider } from '@registrar/console/testing/identity-provider';
import { randomBytes } from 'node:crypto';
import type { ConsoleClient } from './console-client.ts';

/** What a browser may take for another site. */
const foreignPaths = [
  'https://attacker.example',
  '//attacker.example',
  '///attacker.example',
  '/\\attacker.example',
  '/\t/attacker.example',
  '/.//attacker.example',
  '/a/..//attacker.example',
  'javascript:alert(1)',
  '\\\\attacker.example',
  '@attacker.example',
  '.attacker.example',
];

/** Tries to let a sign-in end at another site. Returns the violations. */
export async function tryRedirects(client: ConsoleClient): Promise<string[]> {
  const violations: string[] = [];
  for (const returnPath of foreignPaths) {
    const { location } = await client.signIn('redirected', ['operator'], { returnPath });
    const target = URL.parse(location, client.url);
    if (target?.origin === client.url && !target.pathname.startsWith('//')) continue;
    violations.push(`return=${returnPath} leads to ${location}`);
  }
  return violations;
}

/** Tries to know the session of a user who signs in later. Returns the violations. */
export async function tryFixation(client: ConsoleClient): Promise<string[]> {
  const violations: string[] = [];
  const invented = `registrar_console=${randomBytes(32).toString('base64url')}`;
  const attackers = await client.cookieOf('fixing', ['operator']);
  for (const planted of [invented, attackers]) {
    const { cookie, attributes } = await client.signIn('fixed', ['operator'], { cookie: planted });
    if (cookie === null || cookie === planted) violations.push('a sign-in keeps a planted cookie');
    if (await client.isSignedIn(planted)) violations.push('a planted cookie is signed in');
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) {
      if (!attributes.includes(attribute)) violations.push(`the cookie has no ${attribute}`);
    }
    const out = await client.post('/api/sign-out', '{}', {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      cookie: cookie ?? '',
    });
    if (out.status !== 200) violations.push(`signing out got ${out.status}`);
    if (cookie !== null && (await client.isSignedIn(cookie))) {
      violations.push('a session continues after signing out');
    }
  }
  return violations;
}

/** How long a sign-in may take that fails because the identity provider does not answer: milliseconds. */
const maxFailureMs = 15_000;

/** Stops the identity provider. Returns the violations: sessions continue, and a sign-in ends with its reason. */
export async function tryStoppedProvider(
  client: ConsoleClient,
  provider: TestIdentityProvider,
  cookie: string,
): Promise<string[]> {
  const violations: string[] = [];
  const { callback, transaction } = await client.begin('late', ['operator']);
  await provider.stop();
  const begun = performance.now();
  const { location, cookie: late } = await client.finish(callback, transaction);
  if (!location.startsWith(`${client.url}/sign-in?problem=unavailable&request=`)) {
    violations.push(`without the provider a sign-in leads to ${location}`);
  }
  if (late !== null) violations.push('a session began without the provider');
  if (performance.now() - begun > maxFailureMs) violations.push('a sign-in hangs');
  if (!(await client.isSignedIn(cookie))) violations.push('a session ended with the provider');
  return violations;
}
