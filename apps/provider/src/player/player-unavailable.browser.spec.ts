import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { beforeAll, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { type CourseWindow, type PlayerFixture, usePlayer } from './player.fixture.ts';

const course = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      ['first', 'second']
        .map(
          (id) => `<item identifier="${id}" identifierref="page"><title>Part ${id}</title></item>`,
        )
        .join(''),
      '<resource identifier="page" type="webcontent" adlcp:scormtype="asset" href="page.html"/>',
    ),
    'page.html': '<!doctype html><title>Page</title><h1>Page</h1>',
  });

describeWith(findChromium(), 'a player whose provider is unavailable', (executablePath) => {
  const player = usePlayer(executablePath);
  let fixture: PlayerFixture;
  beforeAll(async () => {
    fixture = player();
    await fixture.client.import('two-pages', await course());
  });

  /** Opens the course while requests that match are answered with 503. */
  const open = async (unavailable: RegExp | null) => {
    const registration = await fixture.client.register('two-pages');
    const window = await fixture.open('about:blank');
    if (unavailable) await refuse(window, unavailable);
    await window.page.goto(await fixture.launchLink(registration));
    return window;
  };
  const refuse = ({ page }: CourseWindow, unavailable: RegExp) =>
    page.route(unavailable, (route) => route.fulfill({ status: 503 }));
  const message = 'The course cannot be reached. The player keeps trying and goes on by itself.';

  it.each([
    ['the description of the course', /\/course$/],
    ['its first request', /\/navigation$/],
    ['a page of content', /\/page\.html$/],
  ])('says so, and goes on by itself when %s was answered with 503', async (_, unavailable) => {
    const window = await open(unavailable);
    await window.waitForText(message);
    await window.page.unroute(unavailable);
    await window.part('Part first').heading('Page').waitFor();
    await window.page.getByText(message).waitFor({ state: 'hidden' });
  });

  it('loads its page again when a script of it could not be loaded', async () => {
    const window = await fixture.open('about:blank');
    const registration = await fixture.client.register('two-pages');
    await window.page.route('**/contents.js', (route) => route.abort('failed'), { times: 1 });
    await window.page.goto(await fixture.launchLink(registration));
    await window.part('Part first').heading('Page').waitFor();
  });

  it('keeps its window when a request of the learner was answered with 503', async () => {
    const window = await open(null);
    await window.part('Part first').heading('Page').waitFor();
    await refuse(window, /\/navigation$/);
    await window.entry('Part second').click();
    await window.waitForText('The course cannot be reached. Check your connection');
    await window.page.unroute(/\/navigation$/);
    await window.entry('Part second').click();
    await window.part('Part second').heading('Page').waitFor();
    expect(await window.page.getByText('The course cannot be reached.').isVisible()).toBe(false);
  });
});
