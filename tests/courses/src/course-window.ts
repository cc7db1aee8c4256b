import type { BrowserContext, Frame, FrameLocator, Page } from 'playwright-core';
import { eventually } from '@registrar/testing';
import type { Installation } from './installation.ts';

/** Milliseconds that a step may take before the play breaks off. */
const stepTimeoutMs = 60_000;

/** A browser of a learner with an open course, whose window the client's page has opened. */
export class CourseWindow {
  private constructor(
    private readonly clientUrl: string,
    private readonly context: BrowserContext,
    readonly page: Page,
    /** Uncaught exceptions, and error messages in the console of any page. */
    readonly errors: readonly string[],
  ) {}

  /** Opens a launch URL in a browser of its own. */
  static async open({ browser, clientPage }: Installation, url: string): Promise<CourseWindow> {
    const context = await browser.newContext();
    context.setDefaultTimeout(stepTimeoutMs);
    const errors: string[] = [];
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    context.on('requestfailed', (request) => {
      // The page of the window: its address tells, since a failed navigation may have no frame.
      const { pathname } = new URL(request.url());
      if (request.isNavigationRequest() && /^\/(?:launch|play)\//.test(pathname)) {
        errors.push(`${request.url()} ${request.failure()?.errorText}`);
      }
    });
    const portal = await context.newPage();
    await portal.goto(clientPage.url);
    const opened = portal.waitForEvent('popup');
    await portal.evaluate(`void window.open(${JSON.stringify(url)})`);
    return new CourseWindow(clientPage.url, context, await opened, errors);
  }

  /** The content of the part with that title. */
  part(title: string): FrameLocator {
    return this.page.frameLocator(`iframe[title="${title}"]`);
  }

  /** Presses a button of the player. */
  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Presses a button of the player, unless the text is there already, and waits for the text. */
  async pressUntil(name: string, text: string): Promise<void> {
    const button = this.page.getByRole('button', { name, exact: true });
    await button.or(this.page.getByText(text)).first().waitFor();
    if (await button.isVisible()) await button.click();
    await this.page.getByText(text).waitFor();
  }

  /** Returns what the window shows, and its errors, for the message of a play that broke off. */
  async describe(): Promise<string> {
    const text = await this.page.locator('body').innerText();
    return [`the window shows: ${text}`, ...this.errors].join('; ');
  }

  /** Waits until the browser is back at the client's page. */
  async waitUntilBack(): Promise<void> {
    await this.page.waitForURL(this.clientUrl, { waitUntil: 'commit' });
  }

  /** Waits for the next window that the course opens. */
  popup(): Promise<Page> {
    return this.page.waitForEvent('popup');
  }

  async waitUntilClosed(): Promise<void> {
    if (!this.page.isClosed()) await this.page.waitForEvent('close');
  }

  /** Closes the window like a learner, with the handlers of its pages. */
  async closeTab(): Promise<void> {
    const closed = this.page.waitForEvent('close');
    await this.page.close({ runBeforeUnload: true });
    await closed;
  }

  /**
   * Reads a global variable of the content, in whichever frame or window has it.
   *
   * @returns its value once it is not null
   */
  variable(name: string): Promise<unknown> {
    return eventually(
      `the content has ${name}`,
      async () => {
        for (const frame of this.#frames()) {
          const value: unknown = await frame.evaluate(
            `typeof ${name} === 'undefined' ? null : ${name}`,
          );
          if (value !== null) return value;
        }
        return null;
      },
      { timeoutMs: stepTimeoutMs },
    );
  }

  /** Closes the browser, without the handlers of its pages. */
  async dispose(): Promise<void> {
    await this.context.close();
  }

  #frames(): Frame[] {
    return this.context.pages().flatMap((page) => page.frames());
  }
}
