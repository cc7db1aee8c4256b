import type { BusClient } from '@registrar/bus';
import { type AccessScope, appendPackagePiece, createCourse, guid } from '@registrar/contracts';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { argumentOf, idArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { addConfigureCourse } from './configure-course-command.ts';
import { reachOfRealm } from './find-realm.ts';
import { cell } from './output.ts';
import { UsageError } from './terminal.ts';

/** The size of a piece (docs/decisions/0002-package-upload-through-the-bus.md). */
const pieceBytes = 512 * 1024;
/** How long the upload and the import may take together. */
const uploadTimeoutMs = 10 * 60_000;

interface UploadOptions {
  readonly realm: string;
  readonly application?: number;
  readonly guid?: string;
  readonly title?: string;
}

/** `registrar course`: courses of a realm. */
export function addCourseCommands(program: OperatorCommand): void {
  const course = program
    .command('course')
    .description('upload course packages, show and change settings of courses');
  addConfigureCourse(course);

  addCommand(course, 'upload', {
    description:
      'import a SCORM 1.2 or SCORM 2004 package, and show what the course player does not obey in it',
    examples: [
      'course upload fire-safety.zip --realm 3fe5e9b6-…',
      'course upload fire-safety.zip --realm 3fe5e9b6-… --guid fire-safety --json',
    ],
  })
    .argument('<file>', 'the package: a zip file')
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option('--application <id>', 'the provider application, if the realm has several', idArgument)
    .option(
      '--guid <guid>',
      'the guid of the course; that of an existing one makes a new version of it (default: generated)',
      argumentOf(guid),
    )
    .option(
      '--title <title>',
      'instead of the title of the package',
      argumentOf(createCourse.input.shape.title.unwrap().min(1)),
    )
    .handle(
      async (
        { output, json, ask },
        file: string,
        { realm, application, title, ...given }: UploadOptions,
      ) => {
        await access(file, constants.R_OK).catch((error: Error) => {
          throw new UsageError(error.message, { cause: error });
        });
        const { warnings, ...made } = await ask(async (bus) => {
          const scope = await reachOfRealm(bus, realm);
          const uploadId = await upload(bus, scope, file);
          return bus.request(createCourse, {
            scope,
            applicationId: application ?? null,
            source: { kind: 'package', uploadId, courseGuid: given.guid ?? null },
            title: title ?? null,
            custom: null,
          });
        }, uploadTimeoutMs);
        const { id, course_guid, course_provider_id, size, versions } = made;
        const shown = { id, course_guid, course_provider_id, title: made.title, size, versions };
        await output.record({ ...shown, warnings: json ? warnings : warnings.length });
        for (const warning of warnings) output.note(`Warning: ${cell(warning)}`);
      },
    );
}

/** Sends a file in pieces, one at a time. Returns the id of the upload. */
async function upload(bus: BusClient, scope: AccessScope, file: string): Promise<string> {
  const uploadId = randomUUID();
  const attemptId = randomUUID();
  let index = 0;
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
    const bytes = (piece as Buffer).toString('base64');
    await bus.request(appendPackagePiece, { scope, uploadId, attemptId, index, bytes });
    index += 1;
  }
  if (index === 0) throw new UsageError(`${file} is empty`);
  return uploadId;
}
