import { Database, sql, sqlState, uniqueViolation } from '@registrar/persistence';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { bodyObject, externalId } from '../http/parse.ts';
import { maxTags, tag } from '../http/tag-list.ts';
import { postbackRequest } from '../postbacks/postback-request.ts';
import { PostbackTargets } from '../postbacks/postback-targets.ts';

const name = z.string().max(255).default('');

export const registrationBody = bodyObject({
  courseId: externalId,
  registrationId: externalId,
  learner: bodyObject({
    id: externalId,
    email: z.string().max(255).optional(),
    firstName: name,
    lastName: name,
  }),
  registrationTags: z.array(tag).max(maxTags).default([]),
  postBack: postbackRequest.optional(),
});

const limitRow = z.object({ registration_limit: z.number() });
const countRow = z.object({ count: z.number() });

/** Registers a learner for the newest version of a course. */
@Injectable()
export class CreateRegistration {
  constructor(
    private readonly database: Database,
    private readonly targets: PostbackTargets,
  ) {}

  /**
   * @throws {BadRequestException} if the id is in use, the application's limit is reached, or the
   * results of the registration cannot be posted to its URL
   * @throws {NotFoundException} if the application has no such course
   */
  async create(
    application: AuthenticatedApplication,
    {
      courseId,
      registrationId,
      learner,
      registrationTags,
      postBack,
    }: z.output<typeof registrationBody>,
  ): Promise<void> {
    if (postBack) this.targets.assertAllowed(postBack);
    await this.database.transaction(async () => {
      await this.assertBelowLimit(application);
      const inserted = await this.database
        .execute(
          sql`INSERT INTO registrations (application_id, registration_id, course, course_version,
                                         learner_id, email, first_name, last_name, tags)
              SELECT ${application.id}, ${registrationId}, c.id, v.id,
                     ${learner.id}, ${learner.email ?? null}, ${learner.firstName},
                     ${learner.lastName}, ${[...new Set(registrationTags)]}::text[]
              FROM courses AS c JOIN course_versions AS v ON v.course = c.id
              WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
              ORDER BY v.version DESC LIMIT 1
              -- Waits for a transaction that deletes the course.
              FOR KEY SHARE`,
        )
        .catch((error: unknown) => {
          if (sqlState(error) !== uniqueViolation) throw error;
          throw new BadRequestException(`Registration with id '${registrationId}' already exists`);
        });
      if (inserted === 0) {
        throw new NotFoundException(`Could not find course with id '${courseId}'`);
      }
      if (postBack) await this.targets.add(application, registrationId, postBack);
    });
  }

  /** Locks the application's row until the commit, so that concurrent creates count in turn. */
  private async assertBelowLimit({ id }: AuthenticatedApplication): Promise<void> {
    const limited = await this.database.maybeOne(
      limitRow,
      sql`SELECT registration_limit FROM applications
          WHERE id = ${id} AND registration_limit IS NOT NULL FOR NO KEY UPDATE`,
    );
    if (!limited) return;
    const { count } = await this.database.one(
      countRow,
      sql`SELECT count(*) FROM registrations WHERE application_id = ${id}`,
    );
    if (count < limited.registration_limit) return;
    throw new BadRequestException(
      'The maximum number of registrations for this account has been reached.',
    );
  }
}
