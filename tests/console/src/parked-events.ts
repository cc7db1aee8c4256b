import { randomUUID } from 'node:crypto';
import { sql } from '@registrar/persistence';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import type { ConsoleSystem } from './console-system.fixture.ts';
import { violationsIn } from './violations-in.ts';

/** The page Parked events. */
export function describeParkedEvents(system: () => ConsoleSystem): void {
  afterEach(async () => {
    await system()
      .database('enrolment')
      .execute(sql`DELETE FROM parked_events`);
  });

  /** Parks an event in enrolment, as the bus does after the last retry. */
  const park = async (title: string, reason = 'a suite has parked it') => {
    const { quickstart } = system();
    const message = {
      messageId: randomUUID(),
      name: 'catalog.course-changed',
      payload: {
        courseId: 999_999,
        applicationId: 999_999,
        courseGuid: quickstart.course_guid,
        title,
        deleted: false,
        version: 1,
        keywords: [],
      },
      requestId: 'suite',
    };
    await system()
      .database('enrolment')
      .execute(
        sql`INSERT INTO parked_events (message_id, event, content, attempts, reason)
          VALUES (${message.messageId}, ${message.name}, ${Buffer.from(JSON.stringify(message))}, 5, ${reason})`,
      );
  };
  const row = (page: Page) => page.getByRole('button', { name: 'catalog.course-changed' });
  const confirm = (page: Page, label: string) =>
    page.getByRole('dialog', { name: label }).getByRole('button', { name: label });

  it('lists an event with its app and reason, and a later one without a reload', async () => {
    await park('First', 'the first reason');
    const { page, errors } = await system().open('operator', '/parked-events');
    await row(page).waitFor();
    await page.getByText('the first reason').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await park('Second', 'the second reason');
    await page.getByText('the second reason').waitFor();
    expect(await page.title()).toBe('Parked events · Registrar');
    expect(errors).toEqual([]);
  });

  it('an open event and a filter have an address, which a reload keeps', async () => {
    await park('Addressed');
    const { page } = await system().open('operator', '/parked-events?context=enrolment');
    await row(page).click();
    await page.getByText('"title": "Addressed"').waitFor();
    expect(page.url()).toMatch(/\?context=enrolment&open=enrolment%2Fin-\d+$/);
    await page.reload();
    await page.getByText('"title": "Addressed"').waitFor();
    await page.goto(`${system().url}/parked-events?context=crawler`);
    await page.getByText('No parked events').waitFor();
  });

  it('Replay names its consequence, and handles the event', async () => {
    await park('Replayed');
    const { page, errors } = await system().open('operator', '/parked-events');
    await row(page).click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('enrolment handles the event now.').waitFor();
    await confirm(page, 'Replay').click();
    await page.getByText('The event is replayed.').waitFor();
    await page.getByText('No parked events').waitFor();
    expect(errors).toEqual([]);
  });

  it('Discard is done by the keyboard alone, and the focus returns', async () => {
    await park('Discarded');
    const { page } = await system().open('operator', '/parked-events');
    await row(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Discard' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('enrolment never handles it', { exact: false }).waitFor();
    // Cancel has the focus, so that Enter by mistake changes nothing.
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The event is discarded.').waitFor();
    await page.getByText('No parked events').waitFor();
  });

  it('a failure of a change is shown with its cause and the request id', async () => {
    await park('Gone');
    const { page } = await system().open('operator', '/parked-events');
    await row(page).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await confirm(page, 'Discard').waitFor();
    await system()
      .database('enrolment')
      .execute(sql`DELETE FROM parked_events`);
    await confirm(page, 'Discard').click();
    const failure = page.getByRole('alert').filter({ hasText: 'The change failed' });
    await failure.getByText('no parked event in-').waitFor();
    await failure.getByText(/Request [\w-]{8,}/).waitFor();
  });

  it('axe-core finds no violation in the list, the drawer and the dialog', async () => {
    await park('Accessible');
    const { page } = await system().open('operator', '/parked-events');
    await row(page).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await row(page).click();
    await page.getByText('"title": "Accessible"').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await confirm(page, 'Discard').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  it.each(['administrator', 'author', 'reader'] as const)(
    'a user who is %s of a realm sees neither the page nor its entry in the navigation',
    async (role) => {
      await park('Hidden', 'a hidden reason');
      const { page } = await system().open(role, '/parked-events');
      await page.getByRole('heading', { name: 'No access' }).waitFor();
      expect(await page.getByText('a hidden reason').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Parked events' }).count()).toBe(0);
    },
  );
}
