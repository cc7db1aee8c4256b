import { createSignInLink } from '@registrar/console';
import { eventually } from '@registrar/testing';
import { expect, it } from 'vitest';
import type { ConsoleSystem } from './console-system.fixture.ts';
import { goTo } from './views.ts';
import { violationsIn } from './violations-in.ts';

/** The frame of the console. */
export function describeFrame(system: () => ConsoleSystem): void {
  it('a one-time link signs in, and the page that was asked for is shown', async () => {
    const { page, errors } = await system().openSignedOut('/parked-events?context=crawler');
    await page.getByText('No identity provider is set up here.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    // The page asks who is signed in; the browser logs the status 401.
    expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
    const { hash } = new URL(await createSignInLink(system().console));
    const asked = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(asked.href + hash);
    await page.getByRole('heading', { name: 'Parked events', level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/parked-events\?context=crawler$/);
  });

  it('a link works once', async () => {
    const link = await createSignInLink(system().console);
    const first = await system().openSignedOut(link.slice(system().url.length));
    await first.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const second = await system().openSignedOut(link.slice(system().url.length));
    await second.page.getByText('the link was used before').waitFor();
  });

  it('signing out ends the session', async () => {
    const { page } = await system().open('operator', '/parked-events');
    await page.getByRole('button', { name: 'Signed in as operator@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await page.goto(`${system().url}/parked-events`);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  });

  it('the command palette opens a page by the keyboard alone', async () => {
    const { page } = await system().open('operator', '/overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages and realms').waitFor();
    await page.keyboard.type('parked');
    await page.getByRole('button', { name: 'Parked events' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Parked events', level: 1 }).waitFor();
  });

  it('the first stop of the keyboard skips to the content', async () => {
    const { page } = await system().open('operator', '/overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(
      'Skip to the content',
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
  });

  it('a language and a color scheme are kept', async () => {
    const { page } = await system().openNew('operator', '/overview');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Farbschema' }).click();
    await page.getByRole('menuitemradio', { name: 'Dunkel' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
    const root = page.locator('html');
    expect(await root.getAttribute('lang')).toBe('de');
    expect(await root.getAttribute('data-mantine-color-scheme')).toBe('dark');
  });

  it('an unknown address has a page that says so', async () => {
    const { page } = await system().open('operator', '/nowhere');
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  it('nothing is wider than a screen of 360, 1280 and 3840 px', async () => {
    const { page } = await system().openNew('operator', '/overview');
    for (const path of ['/parked-events', '/overview']) {
      await goTo(page, path);
      await page.getByText('Live', { exact: true }).waitFor();
      for (const width of [360, 1280, 3840]) {
        await page.setViewportSize({ width, height: 800 });
        // Charts take the new width a frame later.
        await eventually('the page is as wide as the screen', async () => {
          return (await page.evaluate('document.documentElement.scrollWidth')) === width;
        });
      }
    }
  });
}
