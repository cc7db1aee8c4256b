import type { BusClient } from '@registrar/bus';
import {
  type AccessScope,
  Failure,
  guid,
  indexCourses,
  requireApplication,
  textLimits,
} from '@registrar/contracts';
import * as z from 'zod';
import { findCourse } from '../courses/courses.calls.ts';

/** What the query of an upload says, and who may upload: those who may create courses by other calls. */
export const courseUpload = {
  access: { kind: 'realm', role: 'author' },
  input: z.object({
    realm: guid,
    /** The GUID of a new course; by default one is generated. */
    course: guid.optional(),
    /** The existing course whose next version the package is. */
    versionOf: guid.optional(),
    /** The provider application of a new course, if the realm has several. */
    application: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .optional(),
    /** Replaces the title of the package. */
    title: z.string().trim().min(1).max(textLimits.courseTitle).optional(),
  }),
} as const;

/** The course that a package becomes, or becomes a version of. */
export interface CourseTarget {
  /** Null for a generated one. */
  readonly courseGuid: string | null;
  readonly applicationId: number;
  /** Null for that of the package. */
  readonly title: string | null;
}

/**
 * Finds out what a package becomes, before anything of it is read. A new course never becomes a version of another by
 * its GUID.
 *
 * @throws {Failure} `not-found` for a version of an unknown course, `invalid`, `unauthenticated`
 */
export async function targetOf(
  bus: BusClient,
  scope: AccessScope,
  { course, versionOf, application, title }: z.output<typeof courseUpload.input>,
): Promise<CourseTarget> {
  const rest = { title: title ?? null };
  if (versionOf !== undefined) {
    const { course_provider_id: applicationId } = await findCourse(bus, scope, versionOf);
    return { courseGuid: versionOf, applicationId, ...rest };
  }
  if (course !== undefined) {
    const input = { scope, filters: { courseGuid: course } };
    const { items } = await bus.page(indexCourses, input, { cursor: null, limit: 1 });
    if (items.length > 0) {
      const remedy = 'choose another, or upload a new version of that course on its page';
      throw new Failure('invalid', `the realm has a course of this GUID: ${remedy}`);
    }
  }
  const [only, ...others] = scope.applicationIds;
  if (only === undefined) throw new Failure('invalid', 'the realm has no provider application');
  if (application === undefined && others.length > 0) {
    throw new Failure('invalid', 'the realm has several provider applications: choose one');
  }
  const applicationId = application ?? only;
  requireApplication(scope, applicationId);
  return { courseGuid: course ?? null, applicationId, ...rest };
}
