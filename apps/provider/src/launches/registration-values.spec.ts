import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';

/** A course without sequencing, of which the first part may write what both parts read. */
const course = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      ['true', 'false']
        .map(
          (isWritten, at) => `<item identifier="${at}" identifierref="page"><title>${at}</title>
            <adlcp:data><adlcp:map targetID="note" writeSharedData="${isWritten}"/></adlcp:data></item>`,
        )
        .join(''),
      '<resource identifier="page" adlcp:scormType="sco" href="page.html"/>',
      '2004 4th Edition',
    ),
    'page.html': '',
  });

describe('the shared data of a course without sequencing', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    await fixture.client.import('free', await course());
  });
  afterAll(() => fixture?.stop());

  const openPart = async (registration: string, target: string) => {
    const window = await fixture.open(registration);
    const { activity } = await window.navigate({ command: 'choice', target });
    if (!activity) throw new Error(`part ${target} does not open`);
    const position = { activityId: target, sitting: activity.sitting, sequence: 1 };
    const write = (data: object) => window.report(position, {}, { runtime: { 'adl.data': data } });
    return { store: activity.sharedData[0]?.store, write };
  };

  it('shared values go from one part to the next, and stay with the registration', async () => {
    const registration = await fixture.client.register('free', 'sharer@example.com');
    const first = await openPart(registration, '0');
    expect(first.store).toBe('');
    expect((await first.write({ note: 'noted', other: 'x' })).status).toBe(200);
    expect((await openPart(registration, '1')).store).toBe('noted');
    const { body } = await fixture.client.get(`registrations/${registration}`);
    expect(body).toMatchObject({ sharedData: [{ id: 'note', value: 'noted' }] });
    const other = await fixture.client.register('free', 'sharer@example.com');
    expect((await openPart(other, '1')).store).toBe('');
  });

  it('shared values are not changed by a part that may only read them', async () => {
    const registration = await fixture.client.register('free', 'reader@example.com');
    const second = await openPart(registration, '1');
    expect((await second.write({ note: 'noted' })).status).toBe(200);
    expect((await openPart(registration, '0')).store).toBe('');
  });

  it('shared values are rejected with 413 beyond 524,288 characters of JSON', async () => {
    const registration = await fixture.client.register('free', 'writer@example.com');
    const first = await openPart(registration, '0');
    expect((await first.write({ note: 'x'.repeat(524_288) })).status).toBe(413);
  });
});
