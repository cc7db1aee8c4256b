import { Database, empty, type Sql, sql, sqlState, uniqueViolation } from '@registrar/persistence';
import { BadRequestException, Body, HttpCode, Post } from '@nestjs/common';
import * as z from 'zod';
import { isStillAccepted, ownedBy, type RememberedApplication } from '../access-rules.ts';
import { postbackSettings } from '../configuration/postback-settings.ts';
import { SealConfiguration } from '../configuration/seal-configuration.ts';
import { configurationOf, settingsBody } from '../configuration/settings-body.ts';
import type { Configuration } from '../configuration/settings.ts';
import { courseOrVersionNotFound } from '../courses/find-course.ts';
import { versionNumber } from '../courses/version-number.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject, externalId } from '../http/parse.ts';
import { ApplicationChanged, RecallsApplication } from '../http/recall-application.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { maxTags, tag } from '../http/tag-list.ts';
import { postbackRequest } from '../postbacks/postback-request.ts';

const name = z.string().max(255).default('');

const registrationBody = bodyObject({
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
  initialSettings: settingsBody.optional(),
});
type RegistrationBody = z.output<typeof registrationBody>;

const outcomeRow = z.object({ isAdmitted: z.boolean(), isCreated: z.boolean() });

/** Condition: the application `a` has no limit. */
const isUnlimited = sql`a.registration_limit IS NULL`;

/** Condition: the application `a` has fewer registrations than its limit, or no limit. */
const isBelowLimit = sql`(${isUnlimited} OR a.registration_limit > (
  SELECT count(*) FROM registrations AS r WHERE r.application_id = a.id
))`;

const registrationQuery = z.strictObject({ courseVersion: versionNumber.optional() });
type NewRegistration = RegistrationBody &
  z.output<typeof registrationQuery> & { readonly configuration: Configuration };

/** Registers a learner for a version of a course, by default the newest one. */
@ApiController('registrations')
export class CreateRegistration {
  constructor(
    private readonly database: Database,
    private readonly sealing: SealConfiguration,
  ) {}

  /**
   * @throws {ApplicationChanged} if the application no longer accepts the credentials
   * @throws {BadRequestException} if the id is in use, the application's limit is reached, or the
   * results of the registration cannot be posted to its URL
   * @throws {NotFoundException} if the application has no such course or version
   */
  @Post()
  @HttpCode(204)
  @RecallsApplication()
  async create(
    @CurrentApplication() application: RememberedApplication,
    @QueryParameters(new SchemaPipe(registrationQuery))
    { courseVersion }: z.output<typeof registrationQuery>,
    @Body(new SchemaPipe(registrationBody)) body: RegistrationBody,
  ): Promise<void> {
    const configuration = this.configurationOf(application, body);
    const registration = { ...body, courseVersion, configuration };
    const { courseId } = registration;
    const unlimited = await this.insert(application, registration, isUnlimited);
    const { isAdmitted, isCreated } = unlimited.isAdmitted
      ? unlimited
      : await this.insertInTurn(application, registration);
    if (!isAdmitted) {
      throw new BadRequestException(
        'The maximum number of registrations for this account has been reached.',
      );
    }
    if (isCreated) return;
    throw courseOrVersionNotFound(courseId, courseVersion ?? null);
  }

  /** @throws {BadRequestException} for a setting that is not accepted. Those of `postBack` win. */
  private configurationOf(
    application: RememberedApplication,
    { postBack, initialSettings }: RegistrationBody,
  ): Configuration {
    const initial = initialSettings ? configurationOf(initialSettings) : {};
    if (!postBack) return this.sealing.seal(application, initial);
    const posted = { ...initial, ...postbackSettings(postBack) };
    return this.sealing.seal(application, posted, 'postBack.url');
  }

  /** Locks the application's row until the commit, so that concurrent creates count in turn. */
  private insertInTurn(application: RememberedApplication, registration: NewRegistration) {
    return this.database.transaction(async () => {
      await this.database.execute(
        sql`SELECT FROM applications WHERE id = ${application.id} FOR NO KEY UPDATE`,
      );
      return this.insert(application, registration, isBelowLimit);
    });
  }

  /** Inserts a registration and its settings, if the application `a` meets the condition and has the course. */
  private async insert(
    application: RememberedApplication,
    {
      courseId,
      courseVersion,
      registrationId,
      learner,
      registrationTags,
      configuration,
    }: NewRegistration,
    admission: Sql,
  ): Promise<z.output<typeof outcomeRow>> {
    const tags = [...new Set(registrationTags)];
    const isConfigured = Object.keys(configuration).length > 0;
    const configured = sql`, configured AS (
      INSERT INTO registration_configurations (registration, configuration)
      SELECT id, ${configuration}::jsonb FROM created
    )`;
    const outcome = await this.database
      .maybeOne(
        outcomeRow,
        sql`WITH accepted AS (
              SELECT a.id, ${admission} AS is_admitted FROM applications AS a
              WHERE ${isStillAccepted(application)}
            ), created AS (
              INSERT INTO registrations (application_id, registration_id, course, course_version,
                                         learner_id, email, first_name, last_name, tags)
              SELECT a.id, ${registrationId}, c.id, v.id,
                     ${learner.id}, ${learner.email ?? null}, ${learner.firstName},
                     ${learner.lastName}, ${tags}::text[]
              FROM accepted AS a
              JOIN courses AS c ON c.application_id = a.id
              JOIN course_versions AS v ON v.course = c.id
              WHERE a.is_admitted AND ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
                ${courseVersion === undefined ? empty : sql`AND v.version = ${courseVersion}`}
              ORDER BY v.version DESC LIMIT 1
              -- Waits for a transaction that deletes the course.
              FOR KEY SHARE OF c, v
              RETURNING id
            ) ${isConfigured ? configured : empty}
            SELECT is_admitted AS "isAdmitted", EXISTS (SELECT FROM created) AS "isCreated"
            FROM accepted`,
      )
      .catch((error: unknown) => {
        if (sqlState(error) !== uniqueViolation) throw error;
        throw new BadRequestException(`Registration with id [${registrationId}] already exists`);
      });
    if (!outcome) throw new ApplicationChanged();
    return outcome;
  }
}
