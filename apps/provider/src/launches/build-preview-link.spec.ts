import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { PauseApplications } from '../applications/pause-applications.ts';
import { smallestPackage } from '../testing/make-package.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';

describe('a preview', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const preview = async (path: string, options: object = {}) => {
    const { body } = await fixture.client.sendJson<{ launchLink: string; message: string }>(
      'POST',
      `courses/${path}`,
      options,
    );
    return body;
  };
  const open = async (path = 'two-parts/preview', options: object = {}) =>
    fixture.follow((await preview(path, options)).launchLink);
  /** The number of rows of every table of the schema, by its name. */
  const rowCounts = async () => {
    const tables = await fixture.provider.database.many(
      z.object({ name: z.string(), rows: z.number() }),
      sql`SELECT t.table_name AS name,
                 (xpath('/row/n/text()',
                    query_to_xml(format('SELECT count(*) AS n FROM %I', t.table_name), false, true, '')
                  ))[1]::text::integer AS rows
          FROM information_schema.tables AS t
          WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`,
    );
    return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  };

  it('a preview opens a course without a registration, and records nothing', async () => {
    const before = await rowCounts();
    expect(before).toMatchObject({ registrations: 0, sco_states: 0, launches: 0 });
    const window = await open('two-parts/preview', { tracking: true });
    expect((await window.get('index.html')).status).toBe(200);
    expect(await window.course()).toMatchObject({ tracking: false });
    expect((await window.navigate({ command: 'start' })).activity).toMatchObject({
      id: 'first',
      sitting: 0,
      runtime: { core: { lesson_mode: 'review', student_id: 'preview' } },
    });
    expect((await window.get('content/video.mp4')).status).toBe(200);
    const position = { activityId: 'first', sitting: 1, sequence: 1 };
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(404);
    expect(await (await window.post('exit', {})).json()).toEqual({
      redirectUrl: null,
      outcome: 'review',
    });
    expect((await window.get('content/video.mp4')).status).toBe(404);
    // The window itself, which is deleted days later: its page says until then that it has ended.
    expect(await rowCounts()).toEqual({ ...before, launches: 1 });
    const stored = await fixture.provider.database.one(
      z.object({ seconds: z.number(), completion: z.string(), success: z.string() }),
      sql`SELECT seconds, completion, success FROM launches`,
    );
    expect(stored).toEqual({ seconds: 0, completion: 'UNKNOWN', success: 'UNKNOWN' });
  });

  it('the link of a preview opens one window', async () => {
    const { launchLink } = await preview('two-parts/preview');
    await (await fixture.follow(launchLink)).get('index.html');
    expect((await fetchAtLocalhost(launchLink)).status).toBe(410);
  });

  it('a preview has an origin and files of its own, which no other window reads', async () => {
    const [first, second, learner] = [
      await open(),
      await open(),
      await fixture.open(await fixture.register()),
    ];
    const [{ href }, other, ofLearner] = [first, second, learner].map((window) =>
      window.url('content/video.mp4'),
    ) as [URL, URL, URL];
    expect(new URL((await first.course()).content, first.address).href).toBe(
      first.url('content/').href,
    );
    const keyOf = ({ pathname }: URL) => pathname.split('/')[3]!;
    const [, holder = ''] = /content\/(preview-\d+)\//.exec(href) ?? [];
    expect((await fetchAtLocalhost(href)).status).toBe(200);
    for (const address of [
      href.replace(keyOf(new URL(href)), keyOf(other)),
      href.replace(keyOf(new URL(href)), keyOf(ofLearner)),
      href.replace(`/${holder}/`, `/${holder.replace('preview-', '')}/`),
      ofLearner.href.replace('/content/', '/content/preview-'),
      href.replace(new URL(href).host, other.host),
      href.replace(new URL(href).host, ofLearner.host),
      first.address.replace(new URL(href).host, other.host),
    ]) {
      const { status } = await fetchAtLocalhost(address);
      expect([address, status]).toEqual([address, address.includes('/play/') ? 410 : 404]);
    }
  });

  it('a preview opens the version that is named, from the activity that is named', async () => {
    await fixture.client.import('versions', await smallestPackage('First'));
    const may = { mayCreateNewVersion: 'true' };
    await fixture.client.import('versions', await smallestPackage('Second'), may);
    const outlines = await Promise.all(
      ['versions/preview', 'versions/versions/0/preview'].map(async (path) => {
        const window = await open(path);
        return (await window.get('content/imsmanifest.xml')).text();
      }),
    );
    expect(outlines).toEqual([expect.stringContaining('Second'), expect.stringContaining('First')]);
    for (const startSco of ['second', 'second-files']) {
      const window = await open('two-parts/preview', { startSco });
      const { activity } = await window.navigate({ command: 'start' });
      expect([startSco, activity?.id]).toEqual([startSco, 'second']);
    }
  });

  it('a launch link opens the activity that startSco names', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration, { startSco: 'second' });
    expect((await window.navigate({ command: 'start' })).activity).toMatchObject({ id: 'second' });
    const path = `registrations/${registration}/launchLink`;
    expect(await fixture.client.sendJson('POST', path, { startSco: 'third' })).toMatchObject({
      status: 400,
      body: { message: 'startSco: the course has no such part' },
    });
  });

  it('no preview is built of an unknown course, version or part', async () => {
    expect(await preview('unknown/preview')).toMatchObject({
      message: 'Could not find course [unknown]',
    });
    expect(await preview('two-parts/versions/7/preview')).toMatchObject({
      message: 'Could not find version 7 of course [two-parts]',
    });
    expect(await preview('two-parts/preview', { startSco: 'third' })).toMatchObject({
      message: 'startSco: the course has no such part',
    });
    const stranger = await fixture.provider.client();
    const foreign = await stranger.sendJson('POST', 'courses/two-parts/preview', {});
    expect(foreign.status).toBe(404);
  });

  it('a preview ends when its course is deleted, and while its realm is disabled', async () => {
    await fixture.client.import('deleted', await smallestPackage());
    const window = await open('deleted/preview');
    const link = (await preview('deleted/preview')).launchLink;
    const statuses = async () => [
      (await window.get('course')).status,
      (await window.get('content/page.html')).status,
      (await fetchAtLocalhost(link)).status,
    ];
    const switchRealm = (enabled: boolean, version: number) =>
      fixture.provider.app.get(PauseApplications).apply({
        realmId: 1,
        enabled,
        version,
        at: '2026-01-02T03:04:05Z',
        appIds: [fixture.client.appId],
      });
    await switchRealm(false, 1);
    expect(await statuses()).toEqual([410, 404, 410]);
    await switchRealm(true, 2);
    expect(await statuses()).toEqual([200, 200, 303]);
    await fixture.client.delete('courses/deleted');
    expect(await statuses()).toEqual([410, 404, 410]);
  });

  it('previews that have ended long ago are deleted, and no other windows', async () => {
    const { database, app } = fixture.provider;
    await open();
    await fixture.open(await fixture.register());
    const listed = async () =>
      database.one(
        z.object({ previews: z.number(), launches: z.number() }),
        sql`SELECT count(course_version) AS previews, count(registration) AS launches FROM launches`,
      );
    const { launches } = await listed();
    await app.get(LaunchSessions).prunePreviews();
    expect((await listed()).previews).toBeGreaterThan(0);
    await database.execute(sql`UPDATE launches SET expires_at = now() - interval '9 days'`);
    await app.get(LaunchSessions).prunePreviews();
    expect(await listed()).toEqual({ previews: 0, launches });
  });
});
