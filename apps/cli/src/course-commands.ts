import { createCourse, guid } from '@registrar/contracts';
import { argumentOf, idArgument } from './arguments.ts';
import { addCheckCourse } from './check-course-command.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { addConfigureCourse } from './configure-course-command.ts';
import { reachOfRealm } from './find-realm.ts';
import { cell } from './output.ts';
import { requireReadable, uploadTimeoutMs, withUpload } from './package-upload.ts';

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
    .description('check and upload course packages, show and change settings of courses');
  addConfigureCourse(course);
  addCheckCourse(course);

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
        await requireReadable(file);
        const { warnings, ...made } = await ask(async (bus) => {
          const scope = await reachOfRealm(bus, realm);
          return withUpload(bus, scope, file, (uploadId) =>
            bus.request(createCourse, {
              scope,
              applicationId: application ?? null,
              source: { kind: 'package', uploadId, courseGuid: given.guid ?? null },
              title: title ?? null,
              custom: null,
            }),
          );
        }, uploadTimeoutMs);
        const { id, course_guid, course_provider_id, size, versions } = made;
        const shown = { id, course_guid, course_provider_id, title: made.title, size, versions };
        await output.record({ ...shown, warnings: json ? warnings : warnings.length });
        for (const warning of warnings) output.note(`Warning: ${cell(warning)}`);
      },
    );
}
