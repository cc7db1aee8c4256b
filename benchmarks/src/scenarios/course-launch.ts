import { makeManifest, makeZip } from '@registrar/provider/testing';
import { findChromium } from '@registrar/testing';
import { countTransfer, openProfile } from '@registrar/testing/browser';
import { randomBytes } from 'node:crypto';
import { compareSystems, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import type { ApiAccess } from '../system/api-access.ts';

/** A slow line: bytes a second in each direction, and milliseconds until a response begins. */
const line = { bytesPerSecond: 50_000, latencyMs: 600 };

const roundCount = 3;

/** A course with as many scripts and media files: 30 MB, of which 2 MB are compressed. */
const largeCourse = { scripts: 4, scriptLines: 14_000, media: 70, mediaBytes: 400_000 };
const emptyCourse = { scripts: 0, scriptLines: 0, media: 0, mediaBytes: 0 };

export const courseLaunch: Comparison = {
  name: 'course-launch',
  measures:
    'what launches of a course transfer, and the time until its content is shown on a slow line',
  run: async ({ access }) => {
    const chromium = findChromium();
    if (!chromium.available) throw new Error(chromium.reason);
    const courses = { large: 'course-of-30-mb', empty: 'empty-course' };
    await createCourse(access, courses.large, largeCourse);
    await createCourse(access, courses.empty, emptyCourse);
    const rounds = {
      ...{ second: [] as Round[], first: [] as Round[], plain: [] as Round[] },
      ...{ empty: [] as Round[], emptyPlain: [] as Round[] },
      ...{ slow: [] as Round[], slowPlain: [] as Round[] },
    };
    for (let round = 0; round < roundCount; round += 1) {
      await using profile = await openProfile(chromium.handle);
      const browser = new LearnerBrowser(profile, access);
      const large = await register(access, courses.large);
      const empty = await register(access, courses.empty);
      rounds.first.push(await browser.launch(large));
      rounds.second.push(await browser.launch(large));
      rounds.slow.push(await browser.launch(large, { isSlow: true }));
      rounds.plain.push(await browser.launch(large, { isPlain: true }));
      rounds.empty.push(await browser.launch(empty));
      rounds.emptyPlain.push(await browser.launch(empty, { isPlain: true }));
      rounds.slowPlain.push(await browser.launch(empty, { isPlain: true, isSlow: true }));
    }
    return [
      compareSystems(
        'second launch of a course of 30 MB',
        'launches',
        [
          { system: 'distributed', rounds: rounds.second },
          { system: 'first launch', rounds: rounds.first },
          { system: 'plain', rounds: rounds.plain },
        ],
        [{ figure: 'transferMb', baseline: 'plain', max: 0.01 }],
      ),
      compareSystems(
        'second launch of a course of 30 MB, 50 kB/s and 600 ms',
        'launches',
        [
          { system: 'distributed', rounds: rounds.slow },
          { system: 'empty course, plain', rounds: rounds.slowPlain },
        ],
        [{ figure: 'seconds', max: 3 }],
      ),
      compareSystems(
        'first launch of an empty course',
        'launches',
        [
          { system: 'distributed', rounds: rounds.empty },
          { system: 'plain', rounds: rounds.emptyPlain },
        ],
        [],
      ),
    ];
  },
};

interface CourseFiles {
  readonly scripts: number;
  readonly scriptLines: number;
  readonly media: number;
  readonly mediaBytes: number;
}

/** A course whose page loads all of its files, shows a heading, and another one when it has them all. */
async function createCourse(access: ApiAccess, courseGuid: string, files: CourseFiles) {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  const script = numbers(files.scriptLines).map(
    (n) => `answers.push(${(n * 7919) % 10_007}); // ${n}\n`,
  );
  const media = numbers(files.media).map((n) => `media-${n}.jpg`);
  const zip = await makeZip({
    'imsmanifest.xml': makeManifest(
      '<item identifier="part" identifierref="files"><title>Course</title></item>',
      '<resource identifier="files" type="webcontent" adlcp:scormtype="sco" href="index.html"/>',
      '2004 4th Edition',
    ),
    'index.html': `<!doctype html><title>Course</title><script>const answers = [];</script>
      ${numbers(files.scripts)
        .map((n) => `<script src="script-${n}.js"></script>`)
        .join('\n')}
      <h1>Content</h1><script>
      parent.API_1484_11.Initialize('');
      Promise.all(${JSON.stringify(media)}.map(async (name) => (await fetch(name)).arrayBuffer()))
        .then(() => document.body.append(Object.assign(document.createElement('h2'), { textContent: 'Complete' })));
      </script>`,
    ...Object.fromEntries(numbers(files.scripts).map((n) => [`script-${n}.js`, script.join('')])),
    ...Object.fromEntries(media.map((name) => [name, randomBytes(files.mediaBytes)])),
  });
  const body = new FormData();
  body.set('course_guid', courseGuid);
  body.set('file', new Blob([Uint8Array.from(zip)], { type: 'application/zip' }), 'course.zip');
  const response = await fetch(access.url('course.json'), { method: 'POST', body });
  if (response.status !== 201) throw new Error(`course create returned ${response.status}`);
}

async function register(access: ApiAccess, course_guid: string): Promise<string> {
  const learner_id = `${randomBytes(8).toString('hex')}@bench.example`;
  const response = await fetch(access.url('registration.json'), {
    method: 'POST',
    body: new URLSearchParams({ course_guid, learner_id }),
  });
  return ((await response.json()) as { registration_guid: string }).registration_guid;
}

interface Launch {
  /** Whether files travel as they are, and the browser keeps none. */
  readonly isPlain?: boolean;
  readonly isSlow?: boolean;
}

/** The browser of a learner, which keeps what it loads. */
class LearnerBrowser {
  constructor(
    private readonly profile: Awaited<ReturnType<typeof openProfile>>,
    private readonly access: ApiAccess,
  ) {}

  /** Measures a launch: the time until the content is shown, and all that is transferred for it. */
  async launch(
    registration: string,
    { isPlain = false, isSlow = false }: Launch = {},
  ): Promise<Round> {
    const response = await fetch(this.access.url(`registration/${registration}/launch_url.json`));
    const { launch_url: link } = (await response.json()) as { launch_url: string };
    const page = await this.profile.newPage();
    const { session, bytes } = await countTransfer(page);
    if (isPlain) {
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.setExtraHTTPHeaders({ 'accept-encoding': 'identity' });
    }
    if (isSlow) {
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: line.latencyMs,
        downloadThroughput: line.bytesPerSecond,
        uploadThroughput: line.bytesPerSecond,
      });
    }
    const begun = performance.now();
    await page.goto(link, { waitUntil: 'commit' });
    const content = page.frameLocator('iframe');
    await content.getByRole('heading', { name: 'Content' }).waitFor();
    const seconds = (performance.now() - begun) / 1_000;
    await content.getByRole('heading', { name: 'Complete' }).waitFor();
    await page.getByText('Saved').waitFor();
    const transferMb = bytes() / 1e6;
    await page.close();
    return { seconds, transferMb };
  }
}
