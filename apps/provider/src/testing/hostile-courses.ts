import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { makeManifest, makeZip } from './make-package.ts';

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

/** A provider, and the browser of a person who is at home in all of it. */
export interface CourseHost {
  readonly browser: Browser;
  readonly providerUrl: string;
  /** The credentials of the provider's API, which the browser sends to it. */
  readonly credentials: { readonly username: string; readonly password: string };
  /** Imports a package as a course. */
  import(courseId: string, zip: Buffer): Promise<void>;
  /** Registers another learner for a course. @returns the registration */
  register(courseId: string): Promise<string>;
  /** Returns a launch link. */
  launch(registration: string): Promise<string>;
}

/** A hostile course and one of another learner beside it: in frames of a portal, and in windows. */
export class HostileCourseScene {
  private constructor(
    private readonly host: CourseHost,
    private readonly portal: Awaited<ReturnType<typeof startPortal>>,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly honest: Course,
    readonly hostile: Course,
    /** The same courses in windows, where browsers let content store data. */
    readonly honestWindow: Course,
    readonly hostileWindow: Course,
  ) {}

  static async open(host: CourseHost): Promise<HostileCourseScene> {
    await host.import('honest', await honestCourse());
    await host.import('hostile', await hostileCourse());
    const portal = await startPortal();
    const { origin } = new URL(host.providerUrl);
    const context = await host.browser.newContext({
      httpCredentials: { ...host.credentials, origin, send: 'always' },
    });
    const page = await context.newPage();
    await page.goto(portal.url);
    const launch = async (courseId: string) => host.launch(await host.register(courseId));
    const showFrame = async (courseId: string) =>
      showInFrame(page, courseId, await launch(courseId));
    const showWindow = async (courseId: string) => showInWindow(context, await launch(courseId));
    return new HostileCourseScene(
      ...([host, portal, context, page] as const),
      await showFrame('honest'),
      await showFrame('hostile'),
      await showWindow('honest'),
      await showWindow('hostile'),
    );
  }

  get providerUrl(): string {
    return this.host.providerUrl;
  }

  /** Registers another learner for a course. @returns the launch link */
  async launch(courseId: string): Promise<string> {
    return this.host.launch(await this.register(courseId));
  }

  register(courseId: string): Promise<string> {
    return this.host.register(courseId);
  }

  /** Launches a registration in a window of its own. */
  async showInWindow(registration: string): Promise<Course> {
    return showInWindow(this.context, await this.host.launch(registration));
  }

  /** Returns what the honest course has heard on its channel and from its worker. */
  async heardByHonest(): Promise<unknown[]> {
    return (await evaluate(this.honestWindow.content, 'received')) as unknown[];
  }

  async close(): Promise<void> {
    this.portal.stop();
    await this.context.close();
  }
}

async function courseIn(link: string, player: Frame): Promise<Course> {
  const element = await player.waitForSelector('iframe');
  const content = await element.contentFrame();
  if (!content) throw new Error('the player shows no content');
  await content.waitForSelector('h1');
  return { link, player, content };
}

async function showInWindow(context: BrowserContext, link: string): Promise<Course> {
  const tab = await context.newPage();
  await tab.goto(link);
  return courseIn(link, tab.mainFrame());
}

/** Shows a course in a frame of the portal. */
async function showInFrame(page: Page, courseId: string, link: string): Promise<Course> {
  await page.evaluate(`
    document.body.append(Object.assign(document.createElement('iframe'), {
      src: ${JSON.stringify(link)}, name: ${JSON.stringify(courseId)},
    }))`);
  const element = await page.waitForSelector(`iframe[name="${courseId}"]`);
  const player = await element.contentFrame();
  if (!player) throw new Error('the portal shows no player');
  return courseIn(link, player);
}

/** What a hostile course tries, beside the course of another learner. */
export interface HostileCourseAttack {
  readonly name: string;
  /** @throws an assertion error when it reads or changes anything of the other course */
  run(scene: HostileCourseScene): Promise<void>;
}

export const hostileCourseAttacks: readonly HostileCourseAttack[] = [
  {
    name: 'frames: reads neither token, page nor API object of the other course',
    async run(scene) {
      const { honest, hostile } = scene;
      for (const code of [
        'top.frames.honest.location.href',
        'top.frames.honest.document.body.innerHTML',
        'top.frames.honest.API',
        'top.frames.honest[0].document.body.innerHTML',
        'top.frames.honest[0].location.href',
      ]) {
        assert.deepEqual([code, await evaluate(hostile.content, code)], [code, 'SecurityError']);
      }
      assert.equal(
        await evaluate(honest.content, `parent.API.LMSGetValue('cmi.core.lesson_status')`),
        'not attempted',
      );
    },
  },
  {
    name: 'frames: places nothing of its own at the origin of the other course',
    async run(scene) {
      const { context, honest, hostile } = scene;
      const own = async (code: string) => String(await evaluate(hostile.content, code));
      const file = await own('location.pathname');
      const tab = await context.newPage();
      for (const [path, status] of [
        [await own('parent.location.pathname'), 410],
        [file, 404],
        [file.replace('index.html', 'worker.js'), 404],
      ] as const) {
        const answer = await tab.goto(new URL(path, honest.link).href);
        assert.deepEqual([path, answer?.status()], [path, status]);
      }
      await tab.close();
    },
  },
  {
    name: 'opener: reads no window that the portal opened for the other course',
    async run(scene) {
      const { page, hostile } = scene;
      const link = await scene.launch('honest');
      const opened = page.waitForEvent('popup');
      await page.evaluate(`void window.open(${JSON.stringify(link)}, 'course')`);
      const popup = await opened;
      await popup.frameLocator('iframe').getByRole('heading').waitFor();
      const seen = await evaluate(hostile.content, `open('', 'course').location.href`);
      assert.ok(['SecurityError', 'about:blank'].includes(String(seen)));
      const read = await evaluate(hostile.content, `open('', 'course').document.body.innerHTML`);
      assert.ok(['SecurityError', ''].includes(String(read)));
      await popup.close();
    },
  },
  {
    name: 'storage: finds nothing of the other course, and leaves nothing to it',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
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
      assert.deepEqual(await evaluate(hostileWindow.content, plant), [
        null,
        'x',
        null,
        'x',
        [],
        ['planted'],
      ]);
      const own = [secret, null, secret, null, ['secret'], ['secret']];
      assert.deepEqual(await evaluate(honestWindow.content, all), own);
    },
  },
  {
    name: 'storage: a learner who launches the same course finds nothing of another one',
    async run(scene) {
      const left = `(async () => {
        localStorage.setItem('left', 'x');
        document.cookie = 'left=x; path=/';
        await caches.open('left');
      })()`;
      const found = `(async () => [
        localStorage.getItem('left'), document.cookie.includes('left'), await caches.keys(),
      ])()`;
      const registration = await scene.register('hostile');
      const first = await scene.showInWindow(registration);
      await evaluate(first.content, left);
      const other = await scene.showInWindow(await scene.register('hostile'));
      assert.deepEqual(await evaluate(other.content, found), [null, false, []]);
      // A later launch of the registration has what the learner left there.
      const later = await scene.showInWindow(registration);
      assert.deepEqual(await evaluate(later.content, found), ['x', true, ['left']]);
    },
  },
  {
    name: 'cache: reads no file of the other course, although the browser keeps it and its address is known',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
      const url = honestWindow.content.url();
      for (const options of ['', `, { mode: 'no-cors' }`, `, { cache: 'force-cache' }`]) {
        const code = `fetch('${url}'${options}).then(({ status }) => status)`;
        assert.deepEqual(
          [options, await evaluate(hostileWindow.content, code)],
          [options, 'TypeError'],
        );
      }
      const script = new URL('shared.js', url).href;
      assert.equal(await evaluate(hostileWindow.content, `import('${script}')`), 'TypeError');
    },
  },
  {
    name: 'service worker: registers none, not even a script that the browser keeps',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
      await evaluate(hostileWindow.content, `fetch('worker.js').then((kept) => kept.text())`);
      for (const options of ['', `, { scope: '/' }`, `, { updateViaCache: 'all' }`]) {
        const code = `navigator.serviceWorker.register('worker.js'${options})`;
        assert.equal(await evaluate(hostileWindow.content, code), 'TypeError');
      }
      assert.equal(
        await evaluate(honestWindow.content, 'navigator.serviceWorker.controller'),
        null,
      );
    },
  },
  {
    name: 'Basic challenge: gets none, and uses no credentials of the browser',
    async run(scene) {
      const { page, hostile } = scene;
      const here = await evaluate(
        hostile.content,
        `fetch('/api/v2/courses').then(({ status, headers }) => [status, headers.get('www-authenticate')])`,
      );
      assert.deepEqual(here, [404, null]);
      const upload = `${scene.providerUrl}/api/v2/courses/importJobs/upload?courseId=forged`;
      const ping = `${scene.providerUrl}/api/v2/ping`;
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
        assert.deepEqual(
          [response.status(), await response.headerValue('www-authenticate')],
          [...[403, null]],
        );
      }
    },
  },
  {
    name: 'cookies: gives the other course none',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
      await evaluate(
        hostileWindow.content,
        `['', location.hostname.replace(/^[^.]+\\./, ''), location.hostname].map((domain) => {
          document.cookie = 'tossed=x; path=/' + (domain && '; domain=' + domain);
        })`,
      );
      assert.ok(
        String(await evaluate(hostileWindow.content, 'document.cookie')).includes('tossed=x'),
      );
      assert.equal(await evaluate(honestWindow.content, 'document.cookie'), '');
    },
  },
  {
    name: 'history: reads no window that its tab goes back to',
    async run(scene) {
      const { context } = scene;
      const tab = await context.newPage();
      const visit = async (courseId: string) => {
        await tab.goto(await scene.launch(courseId));
        await tab.frameLocator('iframe').getByRole('heading').waitFor();
      };
      await visit('honest');
      await visit('hostile');
      const opened = tab.waitForEvent('popup');
      await tab.evaluate(`void window.open(frames[0].location.href)`);
      const popup = await opened;
      await popup.getByRole('heading').waitFor();
      assert.match(String(await evaluate(popup, 'opener.location.pathname')), /^\/play\//);
      await tab.goBack();
      await tab.getByRole('banner').getByText('Honest').or(tab.locator('iframe')).first().waitFor();
      const seen = await evaluate(popup, 'opener.location.href');
      // Chromium may put the page that goes back into a browsing context group of its own.
      assert.ok(['SecurityError', 'TypeError'].includes(String(seen)));
      await popup.close();
      await tab.close();
    },
  },
  {
    name: 'navigation: replaces neither the other course nor its content',
    async run(scene) {
      const { honest, hostile } = scene;
      const addresses = () => [honest.player.url(), honest.content.url()];
      const before = addresses();
      for (const code of [
        `top.frames.honest.location.replace('about:blank')`,
        `top.frames.honest[0].location.replace('about:blank')`,
      ]) {
        assert.deepEqual([code, await evaluate(hostile.content, code)], [code, 'SecurityError']);
      }
      assert.deepEqual(addresses(), before);
      assert.equal(await evaluate(honest.content, 'document.title'), 'Honest');
    },
  },
  {
    name: 'broadcast channel: neither hears nor speaks to the other course',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
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
      assert.deepEqual(heard, ['forged']);
      await evaluate(
        honestWindow.content,
        `new Promise((resolve) => {
          channel.addEventListener('message', () => resolve());
          new BroadcastChannel('course').postMessage('own');
        })`,
      );
      assert.ok((await scene.heardByHonest()).includes('own'));
      assert.ok(!(await scene.heardByHonest()).includes('forged'));
    },
  },
  {
    name: 'shared worker: connects to none of the other course, although it knows the address',
    async run(scene) {
      const { honestWindow, hostileWindow } = scene;
      const url = new URL('shared.js', honestWindow.content.url()).href;
      const say = (text: string) => `new Promise((resolve) => {
        const { port } = new SharedWorker('${url}', 'course');
        port.onmessage = ({ data }) => resolve(data);
        port.postMessage('${text}');
      })`;
      assert.equal(await evaluate(hostileWindow.content, say('forged by worker')), 'SecurityError');
      assert.equal(await evaluate(honestWindow.content, say('own of worker')), 'own of worker');
      assert.ok(!(await scene.heardByHonest()).includes('forged by worker'));
    },
  },
];
