import { busMigrations } from '@registrar/bus';
import type { ContextSchema } from '@registrar/persistence';
import { Application } from './applications/application.entity.ts';
import { CourseVersion } from './courses/course-version.entity.ts';
import { Course } from './courses/course.entity.ts';
import { ImportJob } from './imports/import-job.entity.ts';
import { LaunchLinkKey } from './launches/launch-link-key.entity.ts';
import { Launch } from './launches/launch.entity.ts';
import { ScoState } from './launches/sco-state.entity.ts';
import { PackageFile } from './packages/package-file.entity.ts';
import { PackagePiece } from './packages/package-piece.entity.ts';
import { PostbackTarget } from './postbacks/postback-target.entity.ts';
import { Postback } from './postbacks/postback.entity.ts';
import { Registration } from './registrations/registration.entity.ts';
import { Provider1790000000000 } from './migrations/1790000000000-provider.migration.ts';

/** The provider's schema in the database. */
export const providerSchema: ContextSchema = {
  name: 'provider',
  entities: [
    Application,
    Course,
    CourseVersion,
    ImportJob,
    Launch,
    LaunchLinkKey,
    PackageFile,
    PackagePiece,
    Postback,
    PostbackTarget,
    Registration,
    ScoState,
  ],
  migrations: [...busMigrations, Provider1790000000000],
};
