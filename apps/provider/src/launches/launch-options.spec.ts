import { sql } from '@registrar/persistence';
import { eventually, fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { german } from '../languages/german.ts';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';

const cssUrl = 'https://styles.example.com:8443/portal.css?theme=blue';

describe('the options of a launch link for the page of the player', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const policyOf = ({ headers }: Response) => headers.get('content-security-policy') ?? '';
  const preview = async (options: object) => {
    const { body } = await fixture.client.sendJson<{ launchLink: string }>(
      'POST',
      'courses/two-parts/preview',
      options,
    );
    return fixture.follow(body.launchLink);
  };

  it('a culture decides the language of the window and its notices, of previews too', async () => {
    const registration = await fixture.register();
    for (const open of [
      (options: object) => fixture.open(registration, options),
      (options: object) => preview(options),
    ]) {
      const window = await open({ culture: 'de-AT' });
      const accepted = { 'accept-language': 'fr' };
      const page = await (await window.get('index.html', accepted)).text();
      expect(page).toContain('<html lang="de" dir="ltr">');
      await window.post('exit', {});
      const notice = await window.get('index.html', accepted);
      expect(notice.status).toBe(410);
      expect(await notice.text()).toContain(german.texts.notices.ended.title);
    }
  });

  it('the language of a malformed link is that of the browser', async () => {
    const answer = await fetchAtLocalhost(`${fixture.provider.url}/launch/malformed`, {
      headers: { 'accept-language': 'fi, ja;q=0.5' },
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('<html lang="ja" dir="ltr">');
  });

  it('the origin of cssUrl is allowed for style sheets of that window alone', async () => {
    const usual = await (await fixture.open(await fixture.register())).get('index.html');
    for (const window of [
      await fixture.open(await fixture.register(), { cssUrl }),
      await preview({ cssUrl }),
    ]) {
      const page = await window.get('index.html');
      expect(policyOf(page)).toBe(
        policyOf(usual).replace(
          `style-src 'self'`,
          `style-src 'self' https://styles.example.com:8443`,
        ),
      );
      expect(await window.course()).toMatchObject({ cssUrl });
      await window.post('exit', {});
      expect(policyOf(await window.get('index.html'))).toBe(policyOf(usual));
    }
  });

  it('the options are kept with the launch, and erased with the learner', async () => {
    const registration = await fixture.client.register('two-parts', 'erased@example.com');
    await fixture.open(registration, { culture: 'pt-BR', cssUrl });
    const count = async () =>
      fixture.provider.database.execute(
        sql`SELECT FROM launches WHERE css_url = ${cssUrl} AND culture = 'pt-BR'`,
      );
    expect(await count()).toBe(1);
    await fixture.client.sendJson('POST', 'learner/erased@example.com/delete-information', {
      userEmail: 'operator@example.com',
    });
    await eventually('the options are erased', async () => (await count()) === 0);
  });

  it.each([
    ['culture', 'de_DE'],
    ['culture', 'a language'],
    ['culture', `de-${'x'.repeat(8)}-${'y'.repeat(8)}-${'z'.repeat(8)}-${'w'.repeat(8)}`],
    ['cssUrl', 'http://styles.example.com/portal.css'],
    ['cssUrl', 'javascript:alert(1)'],
    ['cssUrl', '/portal.css'],
    ['cssUrl', 'https://user:secret@styles.example.com/portal.css'],
    ['cssUrl', 'https://styles.example.com;script-src/portal.css'],
    ['cssUrl', "https://a,b'c/portal.css"],
    ['cssUrl', `https://styles.example.com/${'x'.repeat(2048)}`],
  ])('%s refuses %s with 400', async (name, value) => {
    const registration = await fixture.register();
    for (const path of [`registrations/${registration}/launchLink`, 'courses/two-parts/preview']) {
      const { status, body } = await fixture.client.sendJson<{ message: string }>('POST', path, {
        [name]: value,
      });
      expect([status, body.message]).toEqual([400, expect.stringContaining(`${name}: `)]);
    }
  });

  it('empty options and null stand for none', async () => {
    const window = await fixture.open(await fixture.register(), { culture: '', cssUrl: '' });
    expect(await window.course()).toMatchObject({ cssUrl: null });
    const other = await fixture.open(await fixture.register(), { culture: null, cssUrl: null });
    expect(await other.course()).toMatchObject({ cssUrl: null });
  });
});
