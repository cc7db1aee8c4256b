import { checkPackage, guid, type PackageFinding } from '@registrar/contracts';
import { Readable } from 'node:stream';
import { argumentOf } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { reachOfRealm } from './find-realm.ts';
import type { Columns } from './output.ts';
import { requireReadable, uploadTimeoutMs, withUpload } from './package-upload.ts';

const columns: Columns<PackageFinding> = ['severity', 'file', 'line', 'rule', 'remedy', 'message'];

/** `registrar course check`: what is wrong with a package (docs/course-check.md). */
export function addCheckCourse(course: OperatorCommand): void {
  addCommand(course, 'check', {
    description: 'show what is wrong with a course package, and import nothing',
    examples: [
      'course check fire-safety.zip --realm 3fe5e9b6-…',
      'course check fire-safety.zip --realm 3fe5e9b6-… --json',
    ],
  })
    .argument('<file>', 'the package: a zip file')
    .requiredOption(
      '--realm <guid>',
      'the guid of the realm, for which the upload and the check count',
      argumentOf(guid),
    )
    .handle(async ({ output, ask }, file: string, { realm }: { readonly realm: string }) => {
      await requireReadable(file);
      const { findings } = await ask(async (bus) => {
        const scope = await reachOfRealm(bus, realm);
        return withUpload(bus, scope, file, (uploadId) =>
          bus.request(checkPackage, { scope, uploadId }),
        );
      }, uploadTimeoutMs);
      await output.list(Readable.from([{ items: findings }]), columns);
      if (findings.some(({ severity }) => severity === 'error')) {
        throw new Error('the package cannot be imported');
      }
    });
}
