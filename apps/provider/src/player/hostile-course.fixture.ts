import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { makeManifest, makeZip } from '../testing/make-package.fixture.ts';
import { type PlayerFixture, startPlayerFixture } from './player.fixture.ts';

/** What the course of the other learner stores and sends, and what the hostile course looks for. */
const secret = 'of the other learner';

const course = (title: string, script: string, files: Readonly<Record<string, string>> = {}) =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      `<item identifier="part" identifierref="files"><title>${title}</title></item>`,
      '<resource identifier="files" type="webcontent" adlcp:scormtype="sco" href="index.html"/>',
    ),
    'index.html': `<!doctype html><title>${title}</title><h1>${secret}</h1><script>${script}</script>`,
    ...files,
  });

/** A course that uses what browsers offer to content, and notes what it hears. */
const honestCourse = () =>
  course(
    'Honest',
    `parent.API.LMSInitialize('');
     localStorage.setItem('secret', '${secret}');
     sessionStorage.setItem('secret', '${secret}');
     indexedDB.open('secret');
     void caches.open('secret');
     const received = [];
     const note = ({ data }) => received.push(data);
     const channel = new BroadcastChannel('course');
     channel.onmessage = note;
     new SharedWorker('shared.js', 'course').port.onmessage = note;`,
    {
      // Sends each message to all pages that are connected to it.
      'shared.js': `const ports = [];
        onconnect = ({ ports: [port] }) => {
          ports.push(port);
          port.onmessage = ({ data }) => ports.forEach((each) => each.postMessage(data));
        };`,
    },
  );

const hostileCourse = () =>
  course('Hostile', `parent.API.LMSInitialize('');`, { 'worker.js': 'onfetch = () => {};' });

/** A page of a learning portal, which shows courses in frames and in windows. */
async function startPortal(): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Portal</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}

/** A launched course: its player in a frame or a window, and within that its content. */
interface Course {
  readonly link: string;
  readonly player: Frame;
  readonly content: Frame;
}

/**
 * Evaluates code in a frame.
 *
 * @returns its value, which may be a promise, or the name of the error that it throws
 */
const evaluate = (frame: Frame | Page, code: string): Promise<unknown> =>
  frame.evaluate(
    `(async () => { try { return await (${code}); } catch (error) { return error.name; } })()`,
  );

/** Tests that a hostile course cannot read or change anything of a course beside it. */
export function describeHostileCourse(executablePath: string): void {
  describe('a hostile course in a frame beside the course of another learner', () => {
    let fixture: PlayerFixture;
    let portal: Awaited<ReturnType<typeof startPortal>>;
    let context: BrowserContext;
    let page: Page;
    let honest: Course;
    let hostile: Course;

    /** The same courses in windows, where browsers let content store data. */
    let honestWindow: Course;
    let hostileWindow: Course;

    const launch = async (courseId: string) =>
      fixture.launchLink(await fixture.client.register(courseId));
    const courseIn = async (link: string, player: Frame): Promise<Course> => {
      const element = await player.waitForSelector('iframe');
      const content = await element.contentFrame();
      if (!content) throw new Error('the player shows no content');
      await content.waitForSelector('h1');
      return { link, player, content };
    };
    /** Shows a course in a frame of the portal. */
    const showFrame = async (courseId: string): Promise<Course> => {
      const link = await launch(courseId);
      await page.evaluate(`
        document.body.append(Object.assign(document.createElement('iframe'), {
          src: ${JSON.stringify(link)}, name: ${JSON.stringify(courseId)},
        }))`);
      const element = await page.waitForSelector(`iframe[name="${courseId}"]`);
      const player = await element.contentFrame();
      if (!player) throw new Error('the portal shows no player');
      return courseIn(link, player);
    };
    const showWindow = async (courseId: string): Promise<Course> => {
      const link = await launch(courseId);
      const tab = await context.newPage();
      await tab.goto(link);
      return courseIn(link, tab.mainFrame());
    };

    beforeAll(async () => {
      fixture = await startPlayerFixture(executablePath);
      await fixture.client.import('honest', await honestCourse());
      await fixture.client.import('hostile', await hostileCourse());
      portal = await startPortal();
      // The browser of someone who also uses the provider's API, with credentials that it sends.
      const { appId: username, secretKey: password } = fixture.client;
      const { origin } = new URL(fixture.provider.url);
      context = await fixture.browser.newContext({
        httpCredentials: { username, password, origin, send: 'always' },
      });
      page = await context.newPage();
      await page.goto(portal.url);
      honest = await showFrame('honest');
      hostile = await showFrame('hostile');
      honestWindow = await showWindow('honest');
      hostileWindow = await showWindow('hostile');
    }, 60_000);
    afterAll(async () => {
      portal?.stop();
      await fixture?.stop();
    });

    /** @returns what the honest course has heard on its channel and from its worker */
    const heardByHonest = () => evaluate(honestWindow.content, 'received');

    it('frames: reads neither token, page nor API object of the other course', async () => {
      for (const code of [
        'top.frames.honest.location.href',
        'top.frames.honest.document.body.innerHTML',
        'top.frames.honest.API',
        'top.frames.honest[0].document.body.innerHTML',
        'top.frames.honest[0].location.href',
      ]) {
        expect([code, await evaluate(hostile.content, code)]).toEqual([code, 'SecurityError']);
      }
      expect(
        await evaluate(honest.content, `parent.API.LMSGetValue('cmi.core.lesson_status')`),
      ).toBe('not attempted');
    });

    it('frames: places nothing of its own at the origin of the other course', async () => {
      const own = String(await evaluate(hostile.content, 'parent.location.pathname'));
      const tab = await context.newPage();
      for (const path of ['index.html', 'content/index.html', 'content/worker.js']) {
        const answer = await tab.goto(new URL(own.replace('index.html', path), honest.link).href);
        expect([path, answer?.status()]).toEqual([path, path === 'index.html' ? 410 : 404]);
      }
      await tab.close();
    });

    it('opener: reads no window that the portal opened for the other course', async () => {
      const link = await launch('honest');
      const opened = page.waitForEvent('popup');
      await page.evaluate(`void window.open(${JSON.stringify(link)}, 'course')`);
      const popup = await opened;
      await popup.frameLocator('iframe').getByRole('heading').waitFor();
      const seen = await evaluate(hostile.content, `open('', 'course').location.href`);
      expect(['SecurityError', 'about:blank']).toContain(seen);
      const read = await evaluate(hostile.content, `open('', 'course').document.body.innerHTML`);
      expect(['SecurityError', '']).toContain(read);
      await popup.close();
    });

    it('storage: finds nothing of the other course, and leaves nothing to it', async () => {
      const all = `(async () => [
        localStorage.getItem('secret'), localStorage.getItem('planted'),
        sessionStorage.getItem('secret'), sessionStorage.getItem('planted'),
        (await indexedDB.databases()).map(({ name }) => name), await caches.keys(),
      ])()`;
      const plant = `(async () => {
        localStorage.setItem('planted', 'x');
        sessionStorage.setItem('planted', 'x');
        await caches.open('planted');
        return ${all};
      })()`;
      expect(await evaluate(hostileWindow.content, plant)).toEqual([
        null,
        'x',
        null,
        'x',
        [],
        ['planted'],
      ]);
      const own = [secret, null, secret, null, ['secret'], ['secret']];
      expect(await evaluate(honestWindow.content, all)).toEqual(own);
    });

    it('service worker: registers none', async () => {
      for (const options of ['', `, { scope: '/' }`]) {
        const code = `navigator.serviceWorker.register('worker.js'${options})`;
        expect(await evaluate(hostileWindow.content, code)).toBe('TypeError');
      }
      expect(await evaluate(honestWindow.content, 'navigator.serviceWorker.controller')).toBeNull();
    });

    it('Basic challenge: gets none, and uses no credentials of the browser', async () => {
      const here = await evaluate(
        hostile.content,
        `fetch('/api/v2/courses').then(({ status, headers }) => [status, headers.get('www-authenticate')])`,
      );
      expect(here).toEqual([404, null]);
      const upload = `${fixture.provider.url}/api/v2/courses/importJobs/upload?courseId=forged`;
      const ping = `${fixture.provider.url}/api/v2/ping`;
      const responses = [upload, ping].map((url) =>
        page.waitForResponse((response) => response.url() === url),
      );
      await evaluate(
        hostile.content,
        `fetch('${upload}', {
          method: 'POST', mode: 'no-cors', credentials: 'include', body: new FormData(),
        }).catch(() => {})`,
      );
      await evaluate(
        hostile.content,
        `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${ping}' }))`,
      );
      for (const response of await Promise.all(responses)) {
        expect([response.status(), await response.headerValue('www-authenticate')]).toEqual([
          ...[403, null],
        ]);
      }
    });

    it('cookies: gives the other course none', async () => {
      await evaluate(
        hostileWindow.content,
        `['', location.hostname.replace(/^[^.]+\\./, ''), location.hostname].map((domain) => {
          document.cookie = 'tossed=x; path=/' + (domain && '; domain=' + domain);
        })`,
      );
      expect(await evaluate(hostileWindow.content, 'document.cookie')).toContain('tossed=x');
      expect(await evaluate(honestWindow.content, 'document.cookie')).toBe('');
    });

    it('history: reads no window that its tab goes back to', async () => {
      const tab = await context.newPage();
      const visit = async (courseId: string) => {
        await tab.goto(await launch(courseId));
        await tab.frameLocator('iframe').getByRole('heading').waitFor();
      };
      await visit('honest');
      await visit('hostile');
      const opened = tab.waitForEvent('popup');
      await tab.evaluate(`void window.open('content/index.html')`);
      const popup = await opened;
      await popup.getByRole('heading').waitFor();
      expect(await evaluate(popup, 'opener.location.pathname')).toMatch(/^\/play\//);
      await tab.goBack();
      await tab.getByRole('banner').getByText('Honest').or(tab.locator('iframe')).first().waitFor();
      const seen = await evaluate(popup, 'opener.location.href');
      // Chromium may put the page that goes back into a browsing context group of its own.
      expect(['SecurityError', 'TypeError']).toContain(seen);
      await popup.close();
      await tab.close();
    });

    it('navigation: replaces neither the other course nor its content', async () => {
      const addresses = () => [honest.player.url(), honest.content.url()];
      const before = addresses();
      for (const code of [
        `top.frames.honest.location.replace('about:blank')`,
        `top.frames.honest[0].location.replace('about:blank')`,
      ]) {
        expect([code, await evaluate(hostile.content, code)]).toEqual([code, 'SecurityError']);
      }
      expect(addresses()).toEqual(before);
      expect(await evaluate(honest.content, 'document.title')).toBe('Honest');
    });

    it('broadcast channel: neither hears nor speaks to the other course', async () => {
      const heard = await evaluate(
        hostileWindow.content,
        `new Promise((resolve) => {
          const all = [];
          const channel = new BroadcastChannel('course');
          channel.onmessage = ({ data }) => {
            all.push(data);
            if (data === 'forged') resolve(all);
          };
          new BroadcastChannel('course').postMessage('forged');
        })`,
      );
      expect(heard).toEqual(['forged']);
      await evaluate(
        honestWindow.content,
        `new Promise((resolve) => {
          channel.addEventListener('message', () => resolve());
          new BroadcastChannel('course').postMessage('own');
        })`,
      );
      expect(await heardByHonest()).toContain('own');
      expect(await heardByHonest()).not.toContain('forged');
    });

    it('shared worker: connects to none of the other course, although it knows the address', async () => {
      const url = new URL('shared.js', honestWindow.content.url()).href;
      const say = (text: string) => `new Promise((resolve) => {
        const { port } = new SharedWorker('${url}', 'course');
        port.onmessage = ({ data }) => resolve(data);
        port.postMessage('${text}');
      })`;
      expect(await evaluate(hostileWindow.content, say('forged by worker'))).toBe('SecurityError');
      expect(await evaluate(honestWindow.content, say('own of worker'))).toBe('own of worker');
      expect(await heardByHonest()).not.toContain('forged by worker');
    });
  });
}
