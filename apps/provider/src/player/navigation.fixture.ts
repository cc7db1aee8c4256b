import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeManifest, makeZip } from '../testing/make-package.fixture.ts';
import { type CourseWindow, type PlayerFixture, startPlayerFixture } from './player.fixture.ts';

/** A SCO that ends its session with the request that is written into its field. */
const sco = `<!doctype html>
<title>SCO</title>
<input aria-label="Request"><button>End</button>
<output></output>
<script>
  const api = window.parent.API_1484_11;
  api.Initialize('');
  const valid = (request) => api.GetValue('adl.nav.request_valid.' + request);
  document.querySelector('output').textContent =
    [valid('previous'), valid('continue'), valid('choice.{target=b}')].join(' ');
  document.querySelector('button').onclick = () => {
    api.SetValue('cmi.completion_status', 'completed');
    const request = document.querySelector('input').value;
    if (request) api.SetValue('adl.nav.request', request);
    api.Terminate('');
  };
</script>`;

const item = (id: string) =>
  `<item identifier="${id}" identifierref="${id}-files"><title>Part ${id}</title></item>`;
const resource = (id: string, type: string, href: string) =>
  `<resource identifier="${id}-files" type="webcontent" adlcp:scormType="${type}" href="${href}"/>`;

const course = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      ['a', 'b', 'reading'].map(item).join(''),
      resource('a', 'sco', 'sco.html') +
        resource('b', 'sco', 'sco.html') +
        resource('reading', 'asset', 'reading.html'),
      '2004 4th Edition',
    ),
    'sco.html': sco,
    'reading.html': '<!doctype html><title>Reading</title><h1>Something to read</h1>',
  });

/** What the player does when content asks it to go on. */
export function describeNavigation(executablePath: string): void {
  describe('content that ends its session', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = await startPlayerFixture(executablePath);
      await fixture.client.import('navigation', await course());
    }, 60_000);
    afterAll(() => fixture.stop());

    const begin = async () => {
      const registration = await fixture.client.register('navigation');
      const options = { redirectOnExitUrl: 'message' };
      const window = await fixture.open(await fixture.launchLink(registration, options));
      return { registration, window };
    };
    const end = async (window: CourseWindow, part: string, request: string) => {
      const { content } = window.part(part);
      await content.getByLabel('Request').fill(request);
      await content.getByRole('button', { name: 'End' }).click();
    };
    const isAt = async (window: CourseWindow, part: string, ways: string) => {
      expect(await window.part(part).content.getByRole('status').textContent()).toBe(ways);
    };

    it('goes on, back and where it wants to', async () => {
      const { window } = await begin();
      await isAt(window, 'Part a', 'false true true');
      await end(window, 'Part a', 'continue');
      await isAt(window, 'Part b', 'true true true');
      await end(window, 'Part b', 'previous');
      await isAt(window, 'Part a', 'false true true');
      await end(window, 'Part a', '{target=b}choice');
      await end(window, 'Part b', 'continue');
      await window.part('Part reading').heading('Something to read').waitFor();
      await window.entry('Part reading Completed').waitFor();
    });

    it('leaves the course, or stays', async () => {
      const { window } = await begin();
      await end(window, 'Part a', '');
      await window.says('This part has ended. Choose another one');
      await window.entry('Part b').click();
      await end(window, 'Part b', 'exitAll');
      await window.says('You have left the course');
    });

    it('comes back to the part from which it suspended the course', async () => {
      const { registration, window } = await begin();
      await end(window, 'Part a', 'continue');
      await end(window, 'Part b', 'suspendAll');
      await window.says('You have left the course');
      const told = await fixture.told(registration);
      expect(told.suspendedActivityId).toBe('b');
      const again = await fixture.open(await fixture.launchLink(registration));
      await isAt(again, 'Part b', 'true true true');
    });
  });
}
