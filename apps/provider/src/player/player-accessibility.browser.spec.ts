import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { LaunchLinkKeys } from '../launches/launch-link-keys.ts';
import { signLaunch } from '../launches/launch-link.ts';
import { plainLaunch } from '../launches/launches.fixture.ts';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { violationsIn } from './accessibility.fixture.ts';
import { type CourseWindow, usePlayer } from './player.fixture.ts';

const item = (id: string, inside = '') =>
  `<item identifier="${id}" identifierref="page"><title>Part ${id}</title>${inside}</item>`;
const longTitle = 'A course with a title that is longer than a narrow screen is wide';
const disabledAtFirst = `<imsss:sequencing><imsss:sequencingRules><imsss:preConditionRule>
  <imsss:ruleConditions><imsss:ruleCondition condition="attempted" operator="not"/></imsss:ruleConditions>
  <imsss:ruleAction action="disabled"/></imsss:preConditionRule></imsss:sequencingRules></imsss:sequencing>`;

/** A course that shows every control of the player, a group, a part that is not available, and a long title. */
const courseWithAllControls = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      `${item('first')}<item identifier="group"><title>Group</title>${item('second')}
         <imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing></item>
       ${item('locked', disabledAtFirst)}
       <imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing>`,
      '<resource identifier="page" type="webcontent" adlcp:scormType="asset" href="page.html"/>',
      '2004 4th Edition',
    ).replace('Made course', longTitle),
    'page.html':
      '<!doctype html><html lang="en"><title>Page</title><h1>Page</h1><button>Inside</button>',
  });

const phones = [
  { width: 360, height: 640 },
  { width: 640, height: 360 },
];
const schemes = ['light', 'dark'] as const;

describeWith(findChromium(), 'the player for all learners', (executablePath) => {
  const player = usePlayer(executablePath);
  beforeAll(async () => {
    await player().client.import('controls', await courseWithAllControls());
  });

  const open = async (options: BrowserContextOptions = {}, launch: object = {}) => {
    const fixture = player();
    const link = await fixture.launchLink(await fixture.client.register('controls'), launch);
    const window = await fixture.open(link, options);
    await window.part('Part first').heading('Page').waitFor();
    return window;
  };
  const fold = ({ page }: CourseWindow) => page.getByRole('button', { name: 'Contents' });
  const contents = ({ page }: CourseWindow) => page.getByRole('navigation', { name: 'Contents' });
  /** The id, the text or the tag of the element that has the focus. */
  const focused = ({ page }: CourseWindow) =>
    page.evaluate<string>(`(({ id, innerText, tagName }) => id || innerText.split('\\n')[0] || tagName)(
      document.activeElement)`);

  describe('the layout', () => {
    it.each(phones)(
      'the course has four fifths of a screen of $width × $height',
      async (viewport) => {
        const window = await open({ viewport });
        const { page } = window;
        await page.getByText('Saved').waitFor();
        const course = await page.locator('iframe').boundingBox();
        expect(course?.width).toBe(viewport.width);
        expect(course?.height).toBeGreaterThanOrEqual(0.8 * viewport.height);
        // One line, with all controls on the screen.
        for (const name of ['Contents', 'Previous', 'Continue', 'End course', 'Exit']) {
          const box = await page.getByRole('button', { name, exact: true }).boundingBox();
          expect([name, box && box.x >= 0 && box.x + box.width <= viewport.width]).toEqual([
            name,
            true,
          ]);
          expect([name, box && box.y + box.height < viewport.height / 5]).toEqual([name, true]);
          expect([name, box && Math.min(box.width, box.height) >= 24]).toEqual([name, true]);
        }
        expect(window.errors).toEqual([]);
      },
    );

    it('the contents lie over the course on a narrow screen, and close for the chosen part', async () => {
      const window = await open({ viewport: phones[0]! });
      expect(await contents(window).isVisible()).toBe(false);
      await fold(window).click();
      await contents(window).waitFor();
      expect(await fold(window).getAttribute('aria-expanded')).toBe('true');
      await window.entry('Part second').click();
      await window.part('Part second').heading('Page').waitFor();
      expect(await contents(window).isVisible()).toBe(false);
      expect(await fold(window).getAttribute('aria-expanded')).toBe('false');
    });

    it('the contents are beside the course on a wide screen, and fold away', async () => {
      const window = await open();
      const frame = window.page.locator('iframe');
      const before = await frame.boundingBox();
      await contents(window).waitFor();
      await fold(window).click();
      expect(await contents(window).isVisible()).toBe(false);
      expect((await frame.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0);
    });

    it('the contents unfold without motion for learners who prefer that', async () => {
      const motions = async (reducedMotion: 'reduce' | 'no-preference') => {
        const window = await open({ viewport: phones[0]!, reducedMotion });
        await window.page.evaluate(`document.getElementById('fold').click()`);
        return window.page.evaluate<number>('document.getAnimations().length');
      };
      expect(await motions('no-preference')).toBe(1);
      expect(await motions('reduce')).toBe(0);
    });
  });

  describe('the keyboard', () => {
    it('reaches every control in the order of the page, with a visible focus', async () => {
      const window = await open();
      const { page } = window;
      await page.getByRole('button', { name: 'Contents' }).focus();
      const order: string[] = [];
      for (let step = 0; step < 10; step += 1) {
        order.push(await focused(window));
        const outline = await page.evaluate<string>(
          'getComputedStyle(document.activeElement).outlineStyle',
        );
        expect([order.at(-1), outline]).toEqual([order.at(-1), 'solid']);
        await page.keyboard.press('Tab');
      }
      expect(order).toEqual([
        'fold',
        'previous',
        'continue',
        'end',
        'exit',
        longTitle,
        'Part first',
        'Group',
        'Part second',
        'Part locked',
      ]);
    });

    it('opens and closes the contents, and the focus returns to their button', async () => {
      const window = await open({ viewport: phones[0]! });
      const { page } = window;
      await fold(window).focus();
      await page.keyboard.press('Enter');
      expect(await focused(window)).toBe('Part first');
      // The course is covered: the next Tab after the last entry does not go into it.
      await window.entry('Part locked').focus();
      await page.keyboard.press('Tab');
      expect(await focused(window)).not.toBe('IFRAME');
      await window.entry('Part second').focus();
      await page.keyboard.press('Escape');
      expect([await contents(window).isVisible(), await focused(window)]).toEqual([false, 'fold']);
      await page.keyboard.press('Enter');
      await window.entry('Part second').focus();
      await page.keyboard.press('Enter');
      await window.part('Part second').heading('Page').waitFor();
      expect(await focused(window)).toBe('IFRAME');
    });

    it('reads why a part is not available, which stays in the order of focus', async () => {
      const window = await open();
      const locked = window.entry('Part locked');
      await locked.and(window.page.locator('[aria-disabled="true"]')).waitFor();
      await locked.focus();
      await window.page.keyboard.press('Enter');
      await window.part('Part first').heading('Page').waitFor();
      expect(await locked.getAttribute('aria-description')).toBe('This part is not available now.');
    });
  });

  describe('axe-core', () => {
    const notices = {
      'This window has ended': async () => {
        const window = await open({}, { redirectOnExitUrl: 'message' });
        await window.exit();
        await window.page.getByRole('heading', { name: 'You have left the course' }).waitFor();
        return window.page.url();
      },
      'This link has been used': async () => {
        const fixture = player();
        const link = await fixture.launchLink(await fixture.client.register('controls'));
        await (await fixture.open(link)).part('Part first').heading('Page').waitFor();
        return link;
      },
      'This link has expired': async () => {
        const { provider } = player();
        const claims = {
          ...plainLaunch,
          registration: 1,
          generation: 0,
          id: 'a'.repeat(32),
          label: randomUUID(),
          redirectUrl: `${provider.url}/courses`,
        };
        const key = await provider.app.get(LaunchLinkKeys).create();
        const past = new Date(Date.now() - 60_000);
        return `${provider.url}/launch/${await signLaunch(claims, 30, key, past)}`;
      },
      'This link does not open a course': () =>
        Promise.resolve(`${player().provider.url}/launch/malformed`),
    };

    for (const colorScheme of schemes) {
      it(`finds no violation in the player, ${colorScheme}`, async () => {
        const window = await open({ colorScheme });
        await window.page.getByText('Saved').waitFor();
        await window.entry('Part first Completed').waitFor();
        expect(await violationsIn(window.page)).toEqual([]);
        await window.exit();
        await window.page.getByRole('heading', { name: 'You have left the course' }).waitFor();
        expect(await violationsIn(window.page)).toEqual([]);
      });

      it(`finds no violation in the player on a narrow screen, ${colorScheme}`, async () => {
        const window = await open({ colorScheme, viewport: phones[0]! });
        await window.page.getByText('Saved').waitFor();
        expect(await violationsIn(window.page)).toEqual([]);
        await fold(window).click();
        await contents(window).waitFor();
        await window.page.evaluate(
          'Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
        );
        expect(await violationsIn(window.page)).toEqual([]);
      });

      it(`finds no violation in the message that the course cannot be reached, ${colorScheme}`, async () => {
        const window = await open({ colorScheme });
        await window.page.getByText('Saved').waitFor();
        await window.context.setOffline(true);
        await window.exit();
        await window.page.getByText('The course cannot be reached.').waitFor();
        expect(await violationsIn(window.page)).toEqual([]);
      });

      it.each(Object.entries(notices))(
        `finds no violation in the page: %s, ${colorScheme}`,
        async (title, addressOf) => {
          const { page } = await player().open(await addressOf(), { colorScheme });
          await page.getByRole('heading', { name: title }).waitFor();
          expect(await violationsIn(page)).toEqual([]);
        },
      );
    }

    it('finds what is wrong with a page, such as a missing heading', async () => {
      const window = await open();
      await window.page.evaluate(`document.getElementById('title').remove()`);
      expect(await violationsIn(window.page)).not.toEqual([]);
    });

    it('names each control, and announces what changes', async () => {
      const window = await open();
      const statuses = window.page.getByRole('status');
      await statuses.filter({ hasText: 'Saved' }).waitFor();
      const frame = window.page.locator('iframe');
      expect(await frame.getAttribute('title')).toBe('Part first');
      expect(await window.entry('Part first').getAttribute('aria-current')).toBe('true');
      await window.context.setOffline(true);
      await window.exit();
      await statuses.filter({ hasText: 'The course cannot be reached.' }).waitFor();
    });
  });

  it('the player has the colors of the scheme that the learner prefers', async () => {
    const background = async (colorScheme: (typeof schemes)[number]) => {
      const window = await open({ colorScheme });
      return window.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(244, 246, 248)');
    expect(await background('dark')).toBe('rgb(18, 24, 31)');
  });
});
