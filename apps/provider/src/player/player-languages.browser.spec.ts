import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { catalogues, type Language } from '../languages/languages.ts';
import { violationsIn } from './accessibility.fixture.ts';
import { usePlayer } from './player.fixture.ts';

const languages = Object.keys(catalogues) as Language[];

describeWith(findChromium(), 'the languages of the player', (executablePath) => {
  const player = usePlayer(executablePath);
  const open = async (
    launch: object,
    options: BrowserContextOptions = {},
    course: 'first-aid-basics' | 'fire-safety' = 'fire-safety',
  ) => {
    const fixture = player();
    const window = await fixture.open(
      await fixture.launchLink(await fixture.register(course), launch),
      options,
    );
    await window.page.locator('iframe').waitFor();
    return window;
  };

  it.each(languages)(
    'the player and its notices are in the language %s of the launch',
    async (language) => {
      const { direction, texts } = catalogues[language];
      const link = await player().launchLink(await player().register('fire-safety'), {
        culture: language,
        redirectOnExitUrl: 'message',
      });
      const window = await player().open(link, { locale: language === 'de' ? 'fr' : 'de' });
      const { page, errors } = window;
      const { contents, continue: next, exit, previous, saved, statuses, endings } = texts.player;
      const html = page.locator(`html[lang="${language}"][dir="${direction}"]`);
      await html.waitFor();
      await page.getByRole('status').filter({ hasText: saved }).waitFor();
      const navigation = page.getByRole('navigation', { name: contents });
      await navigation.getByText(statuses.notStarted).waitFor();
      for (const name of [previous, next, exit]) {
        await page.getByRole('button', { name, exact: true }).waitFor();
      }
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: exit, exact: true }).click();
      await page.getByRole('heading', { name: endings.suspended.title }).waitFor();
      await page.getByText(endings.suspended.text).waitFor();
      await page.reload();
      await html.waitFor();
      await page.getByText(texts.notices.ended.text).waitFor();
      await page.goto(link);
      await html.waitFor();
      await page.getByText(texts.notices.used.text).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      // The status 410 of the notices.
      expect(errors.filter((error) => !error.includes('410'))).toEqual([]);
    },
  );

  it('the page contains the texts of its language alone', async () => {
    const { page } = await open({ culture: 'ja' });
    const html = await page.content();
    expect(html).toContain(catalogues.ja.texts.player.choosePart);
    expect(html).not.toContain(catalogues.en.texts.player.choosePart);
    expect(html).not.toContain(catalogues.de.texts.player.choosePart);
  });

  it('the language is that of the browser without a culture, or with one that has no catalogue', async () => {
    for (const launch of [{}, { culture: '' }, { culture: 'it-IT' }]) {
      const { page } = await open(launch, { locale: 'es-MX' });
      expect(await page.locator('html').getAttribute('lang')).toBe('es');
    }
    const { page } = await open({}, { locale: 'fi-FI' });
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  describe('in a language that is written from right to left', () => {
    it('the contents are at the right, and arrows point the other way', async () => {
      const { page } = await open({ culture: 'ar' });
      const { contents, previous, exit } = catalogues.ar.texts.player;
      const boxOf = async (role: 'navigation' | 'button', name: string) => {
        const box = await page.getByRole(role, { name, exact: true }).boundingBox();
        if (!box) throw new Error(`${name} is not shown`);
        return box;
      };
      const frame = await page.locator('iframe').boundingBox();
      const navigation = await boxOf('navigation', contents);
      expect(frame?.x).toBe(0);
      expect(navigation.x + navigation.width).toBe(page.viewportSize()?.width);
      expect((await boxOf('button', exit)).x).toBeLessThan((await boxOf('button', previous)).x);
      const styleOf = (selector: string, property: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
        );
      expect(await styleOf('#previous svg', 'scale')).toBe('-1 1');
      expect(await styleOf('[aria-current]', 'border-right-width')).toBe('4px');
      // Titles have the direction of their own language.
      expect(await styleOf('h1', 'direction')).toBe('ltr');
    });

    it('a narrow screen shows every control', async () => {
      const viewport = { width: 360, height: 640 };
      const { page } = await open({ culture: 'ar' }, { viewport });
      for (const button of await page.locator('header button:visible').all()) {
        const box = await button.boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= viewport.width).toBe(true);
      }
    });
  });

  describe('the style sheet of a launch', () => {
    const cssUrl = 'https://styles.example.com/portal.css?v=1';

    it('the style sheet changes the page of the player, which loads nothing else from its origin', async () => {
      const fixture = player();
      const link = await fixture.launchLink(await fixture.register('first-aid-basics'), { cssUrl });
      const window = await fixture.open('about:blank');
      const loaded: string[] = [];
      await window.context.route('https://styles.example.com/**', (route) => {
        loaded.push(`${route.request().resourceType()} ${route.request().headers()['referer']}`);
        return route.fulfill({
          contentType: 'text/css',
          body: `header { background: rgb(1, 2, 3) url(https://styles.example.com/logo.png) }
            @font-face { font-family: own; src: url(https://styles.example.com/own.woff2) }
            h1 { font-family: own }`,
        });
      });
      await window.context.route('https://elsewhere.example.com/**', (route) => route.abort());
      await window.page.goto(link);
      await window.page.locator('iframe').waitFor();
      await expect
        .poll(() =>
          window.page.evaluate<string>(
            `getComputedStyle(document.querySelector('header')).backgroundColor`,
          ),
        )
        .toBe('rgb(1, 2, 3)');
      expect(loaded).toEqual(['stylesheet undefined']);
      expect(window.errors.some((error) => error.includes('img-src'))).toBe(true);
    });

    it('the style sheet changes the page that opens the course in a window of its own', async () => {
      const fixture = player();
      const registration = await fixture.register('first-aid-basics');
      const settings = [{ settingId: 'PlayerLaunchType', value: 'NEW_WINDOW_AFTER_CLICK' }];
      const path = `registrations/${registration}/configuration`;
      await fixture.client.sendJson('POST', path, { settings });
      const link = await fixture.launchLink(registration, { cssUrl });
      const window = await fixture.open('about:blank');
      await window.context.route('https://styles.example.com/**', (route) =>
        route.fulfill({ contentType: 'text/css', body: 'main { background: rgb(1, 2, 3) }' }),
      );
      await window.page.goto(link);
      await expect
        .poll(() =>
          window.page.evaluate<string>(
            `getComputedStyle(document.querySelector('main')).backgroundColor`,
          ),
        )
        .toBe('rgb(1, 2, 3)');
    });

    it('a style sheet whose host does not respond does not keep the course waiting', async () => {
      const fixture = player();
      const link = await fixture.launchLink(await fixture.register('first-aid-basics'), { cssUrl });
      const window = await fixture.open('about:blank');
      // The host never answers.
      await window.context.route('https://styles.example.com/**', () => undefined);
      await window.page.goto(link, { waitUntil: 'commit' });
      await window.part('First aid basics').leaveFirstPage();
    });
  });
});
