import { hostileCourseAttacks, HostileCourseScene } from '@registrar/provider/testing';
import { findChromium } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { Attack } from './attack.ts';
import { HttpClient } from './http-client.ts';
import { launchLink, registerLearner } from './launch-course.ts';
import { courseUpload, createTenant } from './tenant.ts';

/** A hostile course runs in Chromium beside the course of another learner. */
export const hostileCourses: Attack = {
  name: 'hostile-courses',
  tried: hostileCourseAttacks.map(({ name }) => name.split(':')[0]).join(', '),
  async run(target) {
    const installed = findChromium();
    if (!installed.available) throw new Error(installed.reason);
    const tenant = await createTenant(target, 'hostile-courses');
    const client = new HttpClient(target, '127.0.1.1');
    const browser = await openBrowser(installed.handle);
    try {
      const { sc_app_id: username, sc_secret_key: password } = tenant.providerPair;
      const scene = await HostileCourseScene.open({
        browser,
        providerUrl: target.providerUrl,
        credentials: { username, password },
        import: async (courseId, zip) => {
          const { status } = await client.call('/course.json', {
            body: courseUpload(tenant, courseId, zip),
          });
          if (status !== 201) throw new Error(`course create returned ${status}`);
        },
        register: (courseId) => registerLearner(client, tenant, courseId),
        launch: (registration) => launchLink(client, tenant, registration),
      });
      const violations: string[] = [];
      for (const attack of hostileCourseAttacks) {
        await attack.run(scene).catch((error: unknown) => {
          violations.push(
            `${attack.name}: ${error instanceof Error ? error.message : String(error)}`,
          );
        });
      }
      await scene.close();
      return { violations };
    } finally {
      await browser.close();
      client.close();
    }
  },
};
