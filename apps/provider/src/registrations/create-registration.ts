import { Database, sqlState } from '#libs/persistence';
import { BadRequestException, Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { givenId, parse } from '../http/parse.ts';

const name = z.string().max(255).default('');

const registrationBody = z.object({
  courseId: givenId,
  registrationId: givenId,
  learner: z.object({
    id: givenId,
    email: z.string().max(255).nullish(),
    firstName: name,
    lastName: name,
  }),
});

const uniqueViolation = '23505';

/** Registers a learner for the newest version of a course. */
@Injectable()
export class CreateRegistration {
  constructor(private readonly database: Database) {}

  /** @throws {BadRequestException} duplicate id, unknown course, limit reached */
  async run(application: Application, body: unknown): Promise<void> {
    const { courseId, registrationId, learner } = parse(registrationBody, body);
    await this.database.transaction(async () => {
      await this.refuseBeyondLimit(application);
      const created = await this.database
        .query(
          `INSERT INTO registrations (application_id, registration_id, course, course_version,
                                      learner_id, email, first_name, last_name)
           SELECT $1, $2, c.id, v.id, $4, $5, $6, $7
           FROM courses c JOIN course_versions v ON v.course = c.id
           WHERE c.application_id = $1 AND c.course_id = $3
           ORDER BY v.version DESC LIMIT 1
           RETURNING id`,
          [
            ...[application.id, registrationId, courseId],
            ...[learner.id, learner.email ?? null, learner.firstName, learner.lastName],
          ],
        )
        .catch((error: unknown) => {
          if (sqlState(error) !== uniqueViolation) throw error;
          throw new BadRequestException(`A registration has the id '${registrationId}' already.`);
        });
      if (created.length === 0) {
        throw new BadRequestException(`No course has the id '${courseId}'.`);
      }
    });
  }

  /** The application's row stays locked until the commit, so that racing creates count in turn. */
  private async refuseBeyondLimit(application: Application): Promise<void> {
    const [limited] = await this.database.query<{ registration_limit: number }>(
      `SELECT registration_limit FROM applications
       WHERE id = $1 AND registration_limit IS NOT NULL FOR NO KEY UPDATE`,
      [application.id],
    );
    if (!limited) return;
    const [{ count } = { count: 0 }] = await this.database.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM registrations WHERE application_id = $1',
      [application.id],
    );
    if (count < limited.registration_limit) return;
    throw new BadRequestException(
      'The maximum number of registrations for this account has been reached.',
    );
  }
}
