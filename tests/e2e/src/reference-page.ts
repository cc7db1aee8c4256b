import type { Browser, Locator, Page, Response } from 'playwright-core';
import type { DocumentedOperation } from './open-api-document.ts';

/** A request that the reference has sent, and its response. */
export interface SentRequest {
  readonly url: URL;
  /** The body of a form or of JSON; null without a body. */
  readonly body: string | null;
  readonly status: number;
  /** The parsed JSON of the response, for an error its problem; null without a body. */
  readonly answer: unknown;
}

/** How long a step of the page may take on a loaded machine. */
const actionTimeoutMs = 120_000;

/** The API reference in a browser. */
export class ReferencePage {
  #lastResponse: Response | null = null;

  private constructor(
    private readonly page: Page,
    apiRoot: string,
  ) {
    page.setDefaultTimeout(actionTimeoutMs);
    page.on('response', (response) => {
      if (response.url().startsWith(apiRoot)) this.#lastResponse = response;
    });
  }

  /**
   * Opens the page with some of the operations, because Swagger UI takes a second for each step when
   * it shows all of them.
   *
   * @param apiRoot the address of the API of a gateway
   * @param isShown whether the page shows the operation with an id
   */
  static async open(
    browser: Browser,
    apiRoot: string,
    isShown: (operationId: string) => boolean,
  ): Promise<ReferencePage> {
    const page = await browser.newPage();
    const reference = new ReferencePage(page, apiRoot);
    await page.route('**/openapi.json', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      for (const operations of Object.values(document.paths)) {
        for (const [method, { operationId }] of Object.entries(operations)) {
          if (!isShown(operationId)) delete operations[method];
        }
      }
      await route.fulfill({ response, json: document });
    });
    await page.goto(new URL('/docs', apiRoot).href);
    await page.locator('.opblock-tag-section').first().waitFor();
    const closed = page.locator('.opblock-tag-section:not(.is-open) .opblock-tag');
    while ((await closed.count()) > 0) await closed.first().click();
    return reference;
  }

  close(): Promise<void> {
    return this.page.close();
  }

  /** Enters an API key in the first field of the dialog "Authorize", and waits until fields are prefilled. */
  async authorize(apiKey: string): Promise<void> {
    await this.page.locator('.scheme-container .authorize').click();
    const dialog = this.page.locator('.dialog-ux .auth-container').first();
    await dialog.locator('input').fill(apiKey);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await this.page.locator('.dialog-ux .close-modal').click();
    await this.page.locator('#items:not(:empty)').waitFor();
  }

  /** Replaces what a field of an operation contains. */
  async fill(operation: DocumentedOperation, parameter: string, value: string): Promise<void> {
    const field = (await this.#row(operation, parameter)).locator('input, textarea').first();
    await field.fill(value);
  }

  /** Returns what a field of an operation contains. */
  async value(operation: DocumentedOperation, parameter: string): Promise<string> {
    return (await this.#row(operation, parameter)).locator('input, textarea').first().inputValue();
  }

  async attach(
    operation: DocumentedOperation,
    parameter: string,
    file: { readonly name: string; readonly buffer: Uint8Array },
  ): Promise<void> {
    const field = (await this.#row(operation, parameter)).locator('input[type="file"]');
    const buffer = Buffer.from(file.buffer);
    await field.setInputFiles({ name: file.name, mimeType: 'application/zip', buffer });
  }

  /**
   * Presses "Execute" of an operation, and closes its block, because open ones slow the page down.
   *
   * @throws when the page finds a field invalid, so that it sends nothing
   */
  async execute(operation: DocumentedOperation): Promise<SentRequest> {
    const block = await this.#block(operation);
    const clear = block.getByRole('button', { name: 'Clear', exact: true });
    if (await clear.isVisible()) await clear.click();
    await block.locator('button.execute').click();
    const invalid = block.locator('.validation-errors');
    await invalid.or(block.locator('.live-responses-table')).first().waitFor();
    if (await invalid.isVisible()) throw new Error(`${operation.id}: ${await invalid.innerText()}`);
    await block.locator('.opblock-summary-control').click();
    const response = this.#lastResponse;
    if (!response) throw new Error(`${operation.id}: no response has arrived`);
    const text = await response.text();
    return {
      url: new URL(response.url()),
      body: response.request().postData(),
      status: response.status(),
      answer: text === '' ? null : JSON.parse(text),
    };
  }

  async #row(operation: DocumentedOperation, parameter: string): Promise<Locator> {
    const block = await this.#block(operation);
    return block.locator(
      `tr[data-param-name="${parameter}"], tr[data-property-name="${parameter}"]`,
    );
  }

  /** The block of an operation, opened. */
  async #block({ id }: DocumentedOperation): Promise<Locator> {
    // Swagger UI writes an id as a CSS identifier, so that its dots have a backslash, which a string of CSS doubles.
    const block = this.page.locator(`.opblock[id$="-${id.replaceAll('.', '\\\\.')}"]`);
    const execute = block.locator('button.execute');
    if (!(await execute.isVisible())) {
      await block.locator('.opblock-summary-control').click();
      await execute.waitFor();
    }
    return block;
  }
}
