import {
  HandleEvent,
  HandleRequest,
  IdempotencyStore,
  type InputOf,
  Outbox,
  type PayloadOf,
} from '@registrar/bus';
import {
  type AccessScope,
  courseChanged,
  deleteRegistration,
  Failure,
  type RegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { requireRealmAccess } from '../access-rules.ts';
import { publishAct } from '../publish-act.ts';
import { throwProviderFailure } from './provider-failure.ts';
import { registrationColumns } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

const foundRow = z.object({
  id: z.number(),
  applicationId: z.number(),
  providerState: z.string(),
});
type Found = z.infer<typeof foundRow>;

/**
 * The assignments of an UPDATE that deletes registrations for good. The deletion's sequence is
 * higher than that of any crawl, so that no result restores them. One that waits for its creation at
 * the provider is never created there.
 */
const deletion: Sql = sql`
  deletion_sequence = ${Number.MAX_SAFE_INTEGER}, initialize_after = NULL,
  provider_state = CASE provider_state WHEN 'waiting' THEN 'local' ELSE provider_state END,
  updated_at = now()`;

/** Deletes a registration, first at its provider and then here (contract/registrations#delete). */
@Controller()
export class DeleteRegistration {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    private readonly idempotency: IdempotencyStore,
    private readonly outbox: Outbox,
  ) {}

  /**
   * A delete that ends between its two steps is completed by a repetition, or by the crawl that
   * finds the registration deleted.
   *
   * @throws {Failure} `not-found` when no application in reach has the registration, or several do,
   * or it is deleted already; `unavailable`; `expired`; `unauthenticated`
   */
  @HandleRequest(deleteRegistration)
  async delete(input: InputOf<typeof deleteRegistration>): Promise<RegistrationRecord> {
    requireRealmAccess(input.scope);
    const found = await this.find(input);
    if (found.providerState !== 'local') {
      const provider = await this.providers.forApplication(found.applicationId);
      await provider.deleteRegistration(input.registrationGuid).catch(throwProviderFailure);
    }
    return this.idempotency.commitReply(() => this.markDeleted(input.scope, found));
  }

  /** Finds inactive registrations too. */
  private async find({
    scope,
    registrationGuid,
  }: InputOf<typeof deleteRegistration>): Promise<Found> {
    const selected = selectRegistrations(scope, { registrationGuid }, { includeInactive: true });
    const [found, another] = await this.database.many(
      foundRow,
      sql`SELECT r.id, r.provider_application_id AS "applicationId",
                 r.provider_state AS "providerState"
          FROM (${selected}) AS r
          WHERE r.deleted IS NULL
          LIMIT 2`,
    );
    if (!found) throw new Failure('not-found', 'no such registration for this access');
    if (another) {
      throw new Failure('not-found', 'several provider applications have the registration');
    }
    return found;
  }

  /**
   * Only if its state is still the same: meanwhile the background job may have created it at the
   * provider.
   */
  private async markDeleted(
    scope: AccessScope,
    { id, applicationId, providerState }: Found,
  ): Promise<RegistrationRecord> {
    const row = await this.database.maybeOne(
      registrationRecord,
      sql`UPDATE registrations AS r SET ${deletion}
          WHERE r.id = ${id} AND r.provider_application_id = ${applicationId}
            AND r.provider_state = ${providerState} AND r.deleted IS NULL
          RETURNING ${registrationColumns}`,
    );
    if (!row) throw new Failure('unavailable', 'the registration changed meanwhile; repeat');
    await publishAct(this.outbox, scope, 'registration.deleted', {
      registration_guid: row.registration_guid,
    });
    return row;
  }
}

/**
 * Marks the registrations of a course as deleted that course delete has deleted with the course at
 * the provider (contract/courses#delete-registrations).
 */
@Controller()
export class DeleteCourseRegistrations {
  constructor(private readonly database: Database) {}

  /** A registration that was created later belongs to a new course of the same GUID. */
  @HandleEvent(courseChanged)
  async deleteAll(course: PayloadOf<typeof courseChanged>): Promise<void> {
    const { applicationId, courseGuid, registrationsDeletedAt } = course;
    if (registrationsDeletedAt === undefined) return;
    await this.database.execute(
      sql`UPDATE registrations SET ${deletion}
          WHERE provider_application_id = ${applicationId} AND id IN (
            SELECT id FROM registrations
            WHERE provider_application_id = ${applicationId} AND course_guid = ${courseGuid}
              AND created_at <= ${registrationsDeletedAt}
              AND provider_state NOT IN ('pending', 'refused') AND deleted IS NULL
            ORDER BY id
            FOR UPDATE
          )`,
    );
  }
}
