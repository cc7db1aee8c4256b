import { beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import type { CourseWindow, PlayerFixture } from './player.fixture.ts';

/** A SCO that ends its session with the navigation request in its input field. */
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

/** Tests how the player follows navigation requests of content. */
export function describeNavigation(player: () => PlayerFixture): void {
  describe('the player, when content ends its session', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      await fixture.client.import('navigation', await course());
    });

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
    /** @param valid whether the requests previous, continue and choice are valid there */
    const expectPart = async (window: CourseWindow, part: string, valid: string) => {
      expect(await window.part(part).content.getByRole('status').textContent()).toBe(valid);
    };

    it('requests the start of the course beside its description', async () => {
      const registration = await fixture.client.register('navigation');
      const window = await fixture.open('about:blank');
      const requested = Promise.withResolvers<void>();
      await window.page.route('**/course', async (route) => {
        await requested.promise;
        await route.continue();
      });
      const request = window.page.waitForRequest('**/navigation');
      await window.page.goto(await fixture.launchLink(registration));
      await request;
      requested.resolve();
      await expectPart(window, 'Part a', 'false true true');
    });

    it('follows the navigation requests continue, previous and choice', async () => {
      const { window } = await begin();
      await expectPart(window, 'Part a', 'false true true');
      await end(window, 'Part a', 'continue');
      await expectPart(window, 'Part b', 'true true true');
      await end(window, 'Part b', 'previous');
      await expectPart(window, 'Part a', 'false true true');
      await end(window, 'Part a', '{target=b}choice');
      await end(window, 'Part b', 'continue');
      await window.part('Part reading').heading('Something to read').waitFor();
      await window.entry('Part reading Completed').waitFor();
    });

    it('exits the course after exitAll, and stays without a request', async () => {
      const { window } = await begin();
      await end(window, 'Part a', '');
      await window.waitForText('This part has ended. Choose another one');
      await window.entry('Part b').click();
      await end(window, 'Part b', 'exitAll');
      await window.waitForText('You have left the course');
    });

    it('resumes the part that ended with suspendAll', async () => {
      const { registration, window } = await begin();
      await end(window, 'Part a', 'continue');
      await end(window, 'Part b', 'suspendAll');
      await window.waitForText('You have left the course');
      const result = await fixture.result(registration);
      expect(result.suspendedActivityId).toBe('b');
      const again = await fixture.open(await fixture.launchLink(registration));
      await expectPart(again, 'Part b', 'true true true');
    });
  });
}
