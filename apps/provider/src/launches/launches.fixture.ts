import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { decodeJwt } from 'jose';
import * as z from 'zod';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { type ProviderFixtureOptions, startProviderFixture } from '../provider.fixture.ts';
import type { CourseDescription } from './describe-course.ts';
import { LaunchLinkKeys } from './launch-link-keys.ts';
import type { Navigated, NavigationBody } from './navigate-course.ts';

/** A file that is stored in more than one piece. */
export const video = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251));

/** A file that is stored compressed too. */
export const script = 'export const answer = () => 42;\n'.repeat(1_000);

const items = ['first', 'second']
  .map((id) => `<item identifier="${id}" identifierref="${id}-files"><title>${id}</title></item>`)
  .join('');
const resources = ['first', 'second']
  .map(
    (id) =>
      `<resource identifier="${id}-files" type="webcontent" adlcp:scormtype="sco" href="a b/page.html"/>`,
  )
  .join('');

/** A SCORM 1.2 course of two SCOs. */
const twoParts = (): Promise<Buffer> =>
  makeZip({
    'imsmanifest.xml': makeManifest(items, resources),
    'a b/page.html': '<!doctype html><title>Page</title>',
    'a b/größe.css': 'p { color: green; }',
    'script.js': script,
    'video.mp4': video,
    'empty.txt': '',
  });

/** The claims of a link without options. */
export const plainLaunch = {
  tracking: true,
  redirectUrl: null,
  startActivity: null,
  culture: null,
  cssUrl: null,
  needsCookie: false,
  bindsAddress: false,
  windowSeconds: 60,
};

export type LaunchesFixture = Awaited<ReturnType<typeof startLaunchesFixture>>;

/** Starts the provider with a course, and opens course windows without a browser. */
export async function startLaunchesFixture(options: ProviderFixtureOptions = {}) {
  const provider = await startProviderFixture(options);
  const client = await provider.client();
  await client.import('two-parts', await twoParts());
  const key = await provider.app.get(LaunchLinkKeys).create();

  const launchLink = async (registration: string, options: object = {}): Promise<string> => {
    const path = `registrations/${registration}/launchLink`;
    const { body } = await client.sendJson<{ launchLink: string }>('POST', path, options);
    return body.launchLink;
  };

  /** The URL of the files of the course that a link has opened. Its window would say it too, but count as loaded. */
  const contentOf = async (link: string): Promise<string> => {
    const { id } = decodeJwt(new URL(link).pathname.split('/').at(-1) ?? '');
    const { path } = await provider.database.one(
      z.object({ path: z.string() }),
      sql`SELECT concat(coalesce(r.id::text, 'preview-' || l.id), '/', coalesce(r.content_key, l.content_key)) AS path
          FROM launches AS l LEFT JOIN registrations AS r ON r.id = l.registration
          WHERE l.link_id = ${id}`,
    );
    return new URL(`../content/${path}/`, link).href;
  };

  return {
    provider,
    client,
    key,
    launchLink,
    register: (more: { readonly postBack?: object } = {}) =>
      client.register('two-parts', undefined, more),

    /** Follows a launch link to the URL of the course window. */
    async open(registration: string, options: object = {}): Promise<CourseWindow> {
      const link = await launchLink(registration, options);
      return this.follow(link);
    },

    async follow(link: string): Promise<CourseWindow> {
      const answer = await fetchAtLocalhost(link);
      const address = new URL(answer.headers.get('location') ?? '', link).href;
      return new CourseWindow(address, await contentOf(link));
    },

    stop: () => provider.stop(),
  };
}

/** A course window, without a browser. */
export class CourseWindow {
  /** @param content the URL of the files of its course */
  constructor(
    readonly address: string,
    private readonly content: string,
  ) {}

  /** Returns the URL of a path of the window, or of a file of the course below `content/`. */
  url(path: string): URL {
    const file = /^content\/(.*)$/.exec(path)?.[1];
    return file === undefined ? new URL(path, this.address) : new URL(this.content + file);
  }

  /** The same window at another replica. */
  at(address: string): CourseWindow {
    return new CourseWindow(address, this.content);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetchAtLocalhost(this.url(path).href, { headers });
  }

  post(path: string, body: unknown): Promise<Response> {
    return fetchAtLocalhost(new URL(path, this.address).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async course(): Promise<CourseDescription> {
    return (await (await this.get('course')).json()) as CourseDescription;
  }

  async navigate(request: Partial<NavigationBody>): Promise<Navigated> {
    const answer = await this.post('navigation', { current: null, ...request });
    return (await answer.json()) as Navigated;
  }

  /** Opens an activity. @returns the number of the opening */
  async begin(activityId: string): Promise<number> {
    const { activity } = await this.navigate({ command: 'choice', target: activityId });
    return activity?.sitting ?? 0;
  }

  /** Reports values of `cmi.core` of SCORM 1.2. */
  report(
    position: { activityId: string; sitting: number; sequence: number },
    core: Readonly<Record<string, string>>,
    more: object = {},
  ): Promise<Response> {
    const report = { seconds: position.sequence, runtime: { core }, ended: false, closing: false };
    return this.post('reports', { ...report, ...position, ...more });
  }
}
