import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Course } from './courses/course.entity.ts';
import { PendingCreate } from './courses/pending-create.entity.ts';
import { Sweep } from './courses/sweep.entity.ts';
import { Courses1760000000000 } from './migrations/1760000000000-courses.migration.ts';
import { PackageUploads1760000000001 } from './migrations/1760000000001-package-uploads.migration.ts';
import { PendingCreates1760000000002 } from './migrations/1760000000002-pending-creates.migration.ts';
import { CoursePatterns1760000000003 } from './migrations/1760000000003-course-patterns.migration.ts';
import { Templates1760000000004 } from './migrations/1760000000004-templates.migration.ts';
import { BegunImports1760000000005 } from './migrations/1760000000005-begun-imports.migration.ts';
import { BigintIds1760000000300 } from './migrations/1760000000300-bigint-ids.migration.ts';
import { CourseKeywords1760000000310 } from './migrations/1760000000310-course-keywords.migration.ts';
import { OwnersOfUploads1760000000320 } from './migrations/1760000000320-owners-of-uploads.migration.ts';
import { Changes1760000000330 } from './migrations/1760000000330-changes.migration.ts';
import { CourseKeys1760000000340 } from './migrations/1760000000340-course-keys.migration.ts';
import { PackagePiece } from './packages/package-piece.entity.ts';
import { PackageUpload } from './packages/package-upload.entity.ts';
import { Template } from './templates/template.entity.ts';

/** The catalog's part of the database. */
export const catalogSchema: ContextSchema = {
  name: 'catalog',
  entities: [Course, PackagePiece, PackageUpload, PendingCreate, Sweep, Template],
  migrations: [
    ...busMigrations,
    Courses1760000000000,
    PackageUploads1760000000001,
    PendingCreates1760000000002,
    CoursePatterns1760000000003,
    Templates1760000000004,
    BegunImports1760000000005,
    BigintIds1760000000300,
    CourseKeywords1760000000310,
    OwnersOfUploads1760000000320,
    Changes1760000000330,
    CourseKeys1760000000340,
  ],
};
