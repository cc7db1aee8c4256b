import { listAuditEntries } from '@registrar/contracts';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually, programEnvironment } from '@registrar/testing';
import { describe, expect, it } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { asOperator } from './operator.ts';

const program = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

/** Checks that the operator's command line changes settings of a course at its provider. */
export function describeCourseConfiguration(running: () => RunningSystem): void {
  describe('registrar course configure', () => {
    const configure = async (...words: string[]) => {
      const { quickstart, dataDirectory, brokerUrl, namespace } = running();
      const bus =
        brokerUrl && namespace
          ? { AMQP_URL: brokerUrl, BUS_NAMESPACE: namespace, BUS_ACCOUNTS: 'shared' }
          : { DATA_DIR: dataDirectory ?? '' };
      const realm = ['--realm', quickstart.realm_guid, '--json'];
      const child = spawn(
        process.execPath,
        [program, 'course', 'configure', quickstart.course_guid, ...words, ...realm],
        { env: { ...programEnvironment(), ...bus }, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const output = [text(child.stdout), text(child.stderr), once(child, 'close')] as const;
      const [stdout, stderr] = await Promise.all(output);
      return { code: child.exitCode, settings: stdout && (JSON.parse(stdout) as unknown), stderr };
    };

    it('sets and resets a setting of a course at its provider, and the audit log has it', async () => {
      const { realm_guid: realmGuid, course_guid } = running().quickstart;
      const id = 'PlayerLaunchType';
      const before = { id, value: 'FRAMESET', source: 'default' };
      expect(await configure()).toMatchObject({ settings: expect.arrayContaining([before]) });
      const changed = [{ id, value: 'NEW_WINDOW', source: 'course' }];
      expect(await configure(`${id}=new_window`)).toEqual({
        code: 0,
        settings: changed,
        stderr: '',
      });
      expect(await configure('--reset', id)).toMatchObject({ settings: [before] });
      expect(await configure(`${id}=TAB`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${id}: is not one of FRAMESET, NEW_WINDOW`),
      });
      await asOperator(running(), async (bus) => {
        const filters = { since: null, until: null, afterId: null, apiKeyId: null, realmGuid };
        const read = { ...filters, action: 'course.configured' } as const;
        await eventually('the change is in the audit log', async () => {
          for await (const { items } of bus.pages(listAuditEntries, read)) {
            const isFound = items.some(
              ({ actor, subject }) =>
                actor === 'operator' &&
                subject['course_guid'] === course_guid &&
                subject['set'] === id,
            );
            if (isFound) return true;
          }
          return false;
        });
      });
    });
  });
}
