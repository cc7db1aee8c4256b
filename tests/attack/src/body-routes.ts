import { showPostbackSecret } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import type { Caller } from './event-loop-turns.ts';
import { apiOf, form, type HttpClient } from './http-client.ts';
import { launchCourse, openLink } from './launch-course.ts';
import type { Target } from './target.ts';
import { createTenant } from './tenant.ts';

/** The bytes of a body of JSON, and of a form. */
export type BodySizes = Readonly<Record<'json' | 'form', number>>;

const mebibyte = 1024 * 1024;

/** The greatest bodies of each server, and those that are parsed although nothing is known of their sender. */
const sizes = {
  largest: { json: mebibyte, form: 8 * mebibyte },
  unknown: { json: 64 * 1024, form: 64 * 1024 },
} as const satisfies Record<string, BodySizes>;

/** Requests of one caller to a route that reads bodies. */
export interface BodyRoute {
  readonly name: string;
  readonly app: 'gateway' | 'provider';
  readonly who: Caller;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly url: string | (() => Promise<string>);
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizes: BodySizes;
}

type Access = Pick<BodyRoute, 'query' | 'headers'>;
const noAccess: Access = { query: '', headers: {} };
const basic = (name: string, secret: string): Access => ({
  query: '',
  headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
});

/** Every route of both servers that reads bodies, for callers without and with access. */
export async function bodyRoutes(target: Target, client: HttpClient): Promise<BodyRoute[]> {
  const tenant = await createTenant(target, 'event-loop');
  const { registration, link } = await launchCourse(client, tenant, tenant.courseGuid);
  const window = await openLink(client, link);
  if (!window) throw new Error('a launch link opens nothing');
  /** Each request may end its window. */
  const newExit = async () => {
    const { link: another } = await launchCourse(client, tenant, tenant.courseGuid);
    return new URL('exit', (await openLink(client, another)) ?? '').href;
  };
  const { applicationId } = tenant;
  const postbacks = await asOperator(target, (bus) =>
    bus.request(showPostbackSecret, { applicationId }),
  );
  const { sc_app_id, sc_secret_key } = tenant.providerPair;
  const api = `${target.providerUrl}/api/v2`;
  const gateway = new URL(apiOf(target)).origin;
  const play = (address: string) =>
    ['navigation', 'reports', 'exit'].map((name) => new URL(name, address).href);
  const [navigation = '', reports = '', exit = ''] = play(window);
  const unknownWindow = window.replace(/[\w-]{40,}/, 'A'.repeat(43));
  return [
    ...routes('gateway', 'POST', `${apiOf(target)}/invitation/add_learners.json`, {
      query: form(tenant.pair).toString(),
      headers: {},
    }),
    ...routes(
      'gateway',
      'POST',
      `${gateway}/postbacks/${applicationId}`,
      basic(postbacks.userName, postbacks.password),
    ),
    ...(
      [
        ['POST', 'registrations'],
        ['POST', `registrations/${registration}/launchLink`],
        ['PUT', `registrations/${registration}/tags`],
        ['DELETE', `registrations/${registration}/tags`],
        ['PUT', `courses/${tenant.courseGuid}/title`],
        ['PUT', `courses/${tenant.courseGuid}/tags`],
        ['DELETE', `courses/${tenant.courseGuid}/tags`],
        ['POST', 'courses/importJobs/upload?courseId=event-loop'],
      ] as const
    ).flatMap(([method, path]) =>
      routes('provider', method, `${api}/${path}`, basic(sc_app_id, sc_secret_key)),
    ),
    ...[navigation, reports].flatMap((url) => withAccess('provider', 'POST', url, noAccess)),
    ...withAccess('provider', 'POST', exit, noAccess).map((each) => ({ ...each, url: newExit })),
    ...play(unknownWindow).flatMap((url) => withoutAccess('provider', 'POST', url)),
  ];
}

const routes = (
  app: BodyRoute['app'],
  method: BodyRoute['method'],
  url: string,
  access: Access,
): BodyRoute[] => [...withoutAccess(app, method, url), ...withAccess(app, method, url, access)];

/** Bodies that may be parsed before access is known, and larger ones, which may not. */
const withoutAccess = (app: BodyRoute['app'], method: BodyRoute['method'], url: string) =>
  [sizes.unknown, sizes.largest].map((each): BodyRoute => ({
    ...{ ...noAccess, app, method, url, sizes: each, who: 'stranger' },
    name: nameOf(app, method, url),
  }));

const withAccess = (
  app: BodyRoute['app'],
  method: BodyRoute['method'],
  url: string,
  access: Access,
): BodyRoute[] => [
  {
    ...{ ...access, app, method, url, sizes: sizes.largest, who: 'client' },
    name: nameOf(app, method, url),
  },
];

const nameOf = (app: string, method: string, url: string) =>
  `${app}, ${method} ${new URL(url).pathname.replaceAll(/[\w-]{36,}/g, '…')}`;
