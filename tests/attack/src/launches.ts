import type { Attack } from './attack.ts';
import { form, HttpClient } from './http-client.ts';
import { launchCourse, openLink } from './launch-course.ts';
import { createTenant } from './tenant.ts';

/** Uses launch links and windows after they have ended. */
export const launches: Attack = {
  name: 'launches',
  tried:
    'launch links used twice, at another origin, after the deletion of their registration, and signed by a former key; the windows of such links',
  async run(target) {
    const tenant = await createTenant(target, 'launches');
    const client = new HttpClient(target, '127.0.1.1');
    const violations: string[] = [];
    const expectEnded = async (what: string, address: string) => {
      const { status } = await client.send(address);
      if (status < 400) violations.push(`${what} returned ${status}`);
    };
    try {
      const used = await launchCourse(client, tenant, tenant.courseGuid);
      const window = await openLink(client, used.link);
      if (!window) throw new Error('a new link opened no window');
      await client.send(window);
      await expectEnded('a link used twice', used.link);
      const reloaded = await client.send(window);
      if (reloaded.status !== 200) violations.push(`a reloaded window returned ${reloaded.status}`);

      const other = await launchCourse(client, tenant, tenant.courseGuid);
      const elsewhere = new URL(other.link);
      elsewhere.host = new URL(used.link).host;
      await expectEnded('a link at the origin of another launch', elsewhere.href);
      const stolen = new URL(window);
      stolen.host = new URL(other.link).host;
      await expectEnded('a window at the origin of another launch', stolen.href);

      await client.call(`/registration/${used.registration}.json?${form(tenant.pair).toString()}`, {
        method: 'DELETE',
      });
      await expectEnded('the window of a deleted registration', window);
      const deleted = await launchCourse(client, tenant, tenant.courseGuid);
      await client.call(
        `/registration/${deleted.registration}.json?${form(tenant.pair).toString()}`,
        { method: 'DELETE' },
      );
      await expectEnded('a link of a deleted registration', deleted.link);

      await target.registrar('launch-key', 'rotate', '--end-links');
      await expectEnded('a link signed by an ended key', other.link);
    } finally {
      client.close();
    }
    return { violations };
  },
};
