import { samplePackage, type SampleName } from '#libs/sample-courses';
import { chromiumArguments } from '#libs/testing';
import {
  type BrowserContext,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core';
import { type Client, startProviderFixture } from '../provider.fixture.ts';

/** What the API tells of a registration, as far as suites look at it. */
export interface Told {
  readonly registrationCompletion: string;
  readonly registrationSuccess: string;
  readonly score?: { readonly scaled: number };
  readonly totalSecondsTracked: number;
  readonly suspendedActivityId?: string;
  readonly activityDetails: ToldActivity;
}
export interface ToldActivity {
  readonly id: string;
  readonly attempts: number;
  readonly activityCompletion: string;
  readonly activitySuccess: string;
  readonly suspended: boolean;
  readonly children: readonly ToldActivity[];
  readonly runtime?: Readonly<Record<string, unknown>> & {
    readonly runtimeInteractions: readonly Readonly<Record<string, unknown>>[];
  };
}

const everything = {
  includeChildResults: 'true',
  includeRuntime: 'true',
  includeInteractionsAndObjectives: 'true',
};

export type PlayerFixture = Awaited<ReturnType<typeof startPlayerFixture>>;

/** Starts the provider with both sample courses, and a browser for their learners. */
export async function startPlayerFixture(executablePath: string) {
  const provider = await startProviderFixture();
  const client: Client = await provider.client();
  for (const name of ['first-aid-basics', 'fire-safety'] satisfies SampleName[]) {
    await client.import(name, await samplePackage(name));
  }
  const browser = await chromium.launch({ executablePath, args: chromiumArguments });

  return {
    provider,
    client,
    browser,
    register: (course: SampleName) => client.register(course),

    async launchLink(registration: string, options: object = {}): Promise<string> {
      const path = `registrations/${registration}/launchLink`;
      const answer = await client.sendJson<{ launchLink: string }>('POST', path, options);
      if (answer.status !== 200) throw new Error(`the launch link got ${answer.status}`);
      return answer.body.launchLink;
    },

    /** Opens a link in a window of its own, as a learner does. */
    async open(link: string): Promise<CourseWindow> {
      const context = await browser.newContext();
      const window = new CourseWindow(context, await context.newPage());
      await window.page.goto(link);
      return window;
    },

    async told(registration: string): Promise<Told> {
      return (await client.get<Told>(`registrations/${registration}`, everything)).body;
    },

    /** What the API tells once it is as a suite waits for: a window that closes awaits nothing. */
    async toldOnce(registration: string, isMet: (told: Told) => boolean): Promise<Told> {
      for (;;) {
        const told = await this.told(registration);
        if (isMet(told)) return told;
      }
    },

    async stop(): Promise<void> {
      await browser.close();
      await provider.stop();
    },
  };
}

/** A browser window with a course in it. */
export class CourseWindow {
  /** What the browser complained of, such as a script that the page's policy forbids. */
  readonly complaints: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
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

  /** Waits until the player says that. */
  async says(text: string): Promise<void> {
    await this.page.getByText(text).waitFor();
  }

  /** Closes it with the cross in its corner. */
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
