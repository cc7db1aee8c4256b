import { buildSamplePackage, type SampleCourseName } from '@registrar/sample-courses';
import { eventually } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type {
  BrowserContext,
  BrowserContextOptions,
  FrameLocator,
  Locator,
  Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Client, startProviderFixture } from '../provider.fixture.ts';

/** The parts of a registration's API record that suites check. */
export interface RegistrationResult {
  readonly registrationCompletion: string;
  readonly registrationSuccess: string;
  readonly score?: { readonly scaled: number };
  readonly totalSecondsTracked: number;
  readonly hasOpenLaunch: boolean;
  readonly suspendedActivityId?: string;
  readonly activityDetails: ActivityResult;
}
interface ActivityResult {
  readonly id: string;
  readonly attempts: number;
  readonly activityCompletion: string;
  readonly activitySuccess: string;
  readonly suspended: boolean;
  readonly children: readonly ActivityResult[];
  readonly runtime?: Readonly<Record<string, unknown>> & {
    readonly runtimeInteractions: readonly Readonly<Record<string, unknown>>[];
  };
}

const allDetails = {
  includeChildResults: 'true',
  includeRuntime: 'true',
  includeInteractionsAndObjectives: 'true',
};

export type PlayerFixture = Awaited<ReturnType<typeof startPlayerFixture>>;

/**
 * Starts a player for the tests of a `describe`, and closes the windows of each test after it.
 *
 * @returns a function that returns the player; call it in hooks and tests
 */
export function usePlayer(executablePath: string): () => PlayerFixture {
  let player: PlayerFixture;
  beforeAll(async () => {
    player = await startPlayerFixture(executablePath);
  });
  afterEach(() => player.closeWindows());
  afterAll(() => player?.stop());
  return () => player;
}

/** Starts the provider with both sample courses, and a browser. */
async function startPlayerFixture(executablePath: string) {
  const provider = await startProviderFixture();
  const client: Client = await provider.client();
  for (const name of ['first-aid-basics', 'fire-safety'] satisfies SampleCourseName[]) {
    await client.import(name, await buildSamplePackage(name));
  }
  const browser = await openBrowser(executablePath);
  const windows: CourseWindow[] = [];

  return {
    provider,
    client,
    browser,
    register: (course: SampleCourseName) => client.register(course),

    async launchLink(registration: string, options: object = {}): Promise<string> {
      const path = `registrations/${registration}/launchLink`;
      const { status, body } = await client.sendJson<{ launchLink: string }>('POST', path, options);
      if (status !== 200) throw new Error(`POST ${path} returned ${status}`);
      return body.launchLink;
    },

    /** Opens a link in a browser window with a context of its own. */
    async open(link: string, options: BrowserContextOptions = {}): Promise<CourseWindow> {
      const context = await browser.newContext(options);
      const window = new CourseWindow(context, await context.newPage());
      windows.push(window);
      await window.page.goto(link);
      return window;
    },

    async result(registration: string): Promise<RegistrationResult> {
      const path = `registrations/${registration}`;
      return (await client.get<RegistrationResult>(path, allDetails)).body;
    },

    /** Waits for a result that fits: the last report of a closing window arrives some time later. */
    resultWhen(
      registration: string,
      awaited: string,
      fits: (result: RegistrationResult) => boolean,
    ): Promise<RegistrationResult> {
      return eventually(awaited, async () => {
        const result = await this.result(registration);
        return fits(result) && result;
      });
    },

    /** Closes the windows that were opened, without their unload handlers. */
    async closeWindows(): Promise<void> {
      await Promise.all(windows.splice(0).map(({ context }) => context.close()));
    },

    async stop(): Promise<void> {
      await browser.close();
      await provider.stop();
    },
  };
}

/** A browser window with an open course. */
export class CourseWindow {
  /** Uncaught exceptions and console errors, such as violations of the content security policy. */
  readonly errors: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  /** The content of the part with that title. */
  part(title: string): Part {
    return new Part(this.page.frameLocator(`iframe[title="${title}"]`));
  }

  /** The entry of that title in the table of contents. */
  entry(title: string): Locator {
    const contents = this.page.getByRole('navigation', { name: 'Contents' });
    return contents.getByRole('button', { name: title });
  }

  async exit(): Promise<void> {
    await this.page.getByRole('button', { name: 'Exit' }).click();
  }

  /** Waits until the player shows the text. */
  async waitForText(text: string): Promise<void> {
    await this.page.getByText(text).waitFor();
  }

  /** Kills the process of the page, which runs no handlers. */
  async kill(): Promise<void> {
    const session = await this.context.newCDPSession(this.page);
    const crashed = this.page.waitForEvent('crash');
    // The killed page does not answer.
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
  }

  /** Closes the window like a learner, with its unload handlers. */
  async close(): Promise<void> {
    await Promise.all([
      this.page.waitForEvent('close'),
      this.page.close({ runBeforeUnload: true }),
    ]);
  }
}

/** The content of a part of a sample course. */
export class Part {
  constructor(readonly content: FrameLocator) {}

  button(name: 'next' | 'back' | 'submit' | 'retry' | 'finish'): Locator {
    return this.content.getByTestId(name);
  }

  heading(name: string): Locator {
    return this.content.getByRole('heading', { name });
  }

  /** Clicks Next until the page has turned: the button may be there before its script. */
  async leaveFirstPage(): Promise<void> {
    await this.button('next').waitFor();
    while (!(await this.button('back').isVisible())) await this.button('next').click();
  }

  async readToQuiz(): Promise<void> {
    await this.button('next').waitFor();
    while (await this.button('next').isVisible()) await this.button('next').click();
  }

  async answer(answers: Readonly<Record<string, string>>): Promise<void> {
    for (const [question, value] of Object.entries(answers)) {
      await this.content.locator(`input[name="${question}"][value="${value}"]`).check();
    }
    await this.button('submit').click();
  }

  async play(answers: Readonly<Record<string, string>>): Promise<void> {
    await this.readToQuiz();
    await this.answer(answers);
    await this.button('finish').click();
  }
}
