import { busMigrations } from '@registrar/bus';
import type { ContextSchema } from '@registrar/persistence';
import { Application } from './applications/application.entity.ts';
import { CourseVersion } from './courses/course-version.entity.ts';
import { Course } from './courses/course.entity.ts';
import { ImportJob } from './imports/import-job.entity.ts';
import { LaunchLinkKey } from './launches/launch-link-key.entity.ts';
import { Launch } from './launches/launch.entity.ts';
import { ScoState } from './launches/sco-state.entity.ts';
import { SigningKey } from './launches/signing-key.entity.ts';
import { Provider1760000000000 } from './migrations/1760000000000-provider.migration.ts';
import { BigintIds1760000001100 } from './migrations/1760000001100-bigint-ids.migration.ts';
import { BranchSequences1760000001201 } from './migrations/1760000001201-branch-sequences.migration.ts';
import { Tags1760000001200 } from './migrations/1760000001200-tags.migration.ts';
import { GlobalObjectives1760000001300 } from './migrations/1760000001300-global-objectives.migration.ts';
import { ContentOrigins1760000001400 } from './migrations/1760000001400-content-origins.migration.ts';
import { EndedLaunches1760000001410 } from './migrations/1760000001410-ended-launches.migration.ts';
import { SecretOverlap1760000001420 } from './migrations/1760000001420-secret-overlap.migration.ts';
import { PausedApplications1760000001430 } from './migrations/1760000001430-paused-applications.migration.ts';
import { Postbacks1760000001440 } from './migrations/1760000001440-postbacks.migration.ts';
import { PackageFile } from './packages/package-file.entity.ts';
import { PackagePiece } from './packages/package-piece.entity.ts';
import { PostbackTarget } from './postbacks/postback-target.entity.ts';
import { Postback } from './postbacks/postback.entity.ts';
import { Registration } from './registrations/registration.entity.ts';

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
    SigningKey,
  ],
  migrations: [
    ...busMigrations,
    Provider1760000000000,
    BigintIds1760000001100,
    Tags1760000001200,
    BranchSequences1760000001201,
    GlobalObjectives1760000001300,
    ContentOrigins1760000001400,
    EndedLaunches1760000001410,
    SecretOverlap1760000001420,
    PausedApplications1760000001430,
    Postbacks1760000001440,
  ],
};
