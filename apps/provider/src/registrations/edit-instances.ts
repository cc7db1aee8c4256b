import { Database, raw, sql } from '@registrar/persistence';
import { BadRequestException, Delete, HttpCode, Param, Post } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { endWindows } from '../launches/end-windows.ts';
import { PendingPostbacks } from '../postbacks/pending-postbacks.ts';
import { instanceNotFound, InstancePipe } from './instance.pipe.ts';
import { keepVersions } from './keep-versions.ts';
import { registrationNotFound } from './load-registration.ts';
import { resultColumns } from './registration-row.ts';

/** Instances of one registration: their list is one page. */
export const maxInstances = 100;

const lockedRow = z.object({
  id: z.number(),
  instance: z.number(),
  /** The newest former instance; null if there is none. */
  former: z.number().nullable(),
  count: z.number(),
});

const results = raw(resultColumns.join(', '));
const stateColumns = [
  ...['registration', 'activity_id', 'attempts', 'suspended', 'completion', 'success', 'score'],
  ...['progress', 'seconds', 'runtime', 'sittings', 'sitting', 'sequence', 'branch_sequences'],
  'opened_at',
];
const states = raw(stateColumns.join(', '));

/** What course windows of another instance must not use any more: their links, and files that browsers keep. */
const endLinks = raw('launch_generation = launch_generation + 1, content_key = gen_random_uuid()');

/** Begins instances of a registration, and deletes them. */
@ApiController('registrations/:id/instances')
export class EditInstances {
  constructor(
    private readonly database: Database,
    private readonly postbacks: PendingPostbacks,
  ) {}

  /**
   * Begins an instance, of the newest version of the course. The result of the current one can still be read. What is
   * global to the learner (SCORM 2004 SN 3.10.2, CAM 3.4.1.1) remains. Course windows and links of the registration end.
   *
   * @throws {NotFoundException} if the application has no such registration
   * @throws {BadRequestException} if it has {@link maxInstances}
   */
  @Post()
  @HttpCode(204)
  async begin(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const { id, count } = await this.lock(application, registrationId);
      if (count >= maxInstances) {
        throw new BadRequestException(`A registration has ${maxInstances} instances at most.`);
      }
      await this.database.execute(
        sql`INSERT INTO former_instances (registration, ${results})
            SELECT r.id, ${results} FROM registrations AS r
            WHERE ${ownedBy(application, 'r')} AND r.id = ${id}`,
      );
      await this.database.execute(
        sql`WITH ended AS (
              DELETE FROM sco_states AS s USING registrations AS r
              WHERE ${ownedBy(application, 'r')} AND r.id = ${id} AND s.registration = r.id
              RETURNING s.*, r.instance
            )
            INSERT INTO former_sco_states (${states}, instance)
            SELECT ${states}, instance FROM ended`,
      );
      await this.database.execute(
        sql`UPDATE registrations AS r SET
              instance = instance + 1,
              course_version = (SELECT v.id FROM course_versions AS v WHERE v.course = r.course
                                ORDER BY v.version DESC LIMIT 1),
              completion = DEFAULT, success = DEFAULT, score = NULL, progress = NULL,
              total_seconds = DEFAULT,
              global_objectives = CASE WHEN sequencing @> '{"sharesObjectives": true}'
                                    THEN global_objectives ELSE '{}' END,
              shared_data = CASE WHEN sequencing @> '{"sharesData": true}'
                              THEN shared_data ELSE '{}' END,
              sequencing = NULL, first_access_at = NULL, last_access_at = NULL,
              completed_at = NULL, updated_at = clock_timestamp(), ${endLinks}
            WHERE ${ownedBy(application, 'r')} AND r.id = ${id}`,
      );
      await this.database.execute(endWindows(application, id));
      await this.postbacks.addNow(id);
    });
  }

  /**
   * Deletes an instance with its launches. Instead of the current one, the newest former one is current then; with the
   * last instance, the registration is deleted.
   *
   * @throws {NotFoundException} if the application has no such registration, or the registration no such instance
   */
  @Delete(':instance')
  @HttpCode(204)
  async delete(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
    @Param('instance', InstancePipe) instance: number,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const { id, instance: current, former } = await this.lock(application, registrationId);
      const ofRegistration = sql`${ownedBy(application, 'r')} AND r.id = ${id}`;
      if (instance === current && former === null) {
        await this.database.execute(sql`DELETE FROM registrations AS r WHERE ${ofRegistration}`);
        return;
      }
      if (instance === current) await this.restore(application, id);
      const deleted = await this.database.execute(
        sql`DELETE FROM former_instances AS f USING registrations AS r
            WHERE ${ofRegistration} AND f.registration = r.id
              AND f.instance = ${instance === current ? former : instance}`,
      );
      if (deleted === 0) throw instanceNotFound(instance);
      await this.database.execute(
        sql`DELETE FROM launches AS l USING registrations AS r
            WHERE ${ofRegistration} AND l.registration = r.id AND l.instance = ${instance}`,
      );
    });
  }

  /** Replaces the current instance by the newest former one, whose row remains. */
  private async restore(application: AuthenticatedApplication, id: number): Promise<void> {
    const restored = resultColumns.filter((column) => column !== 'updated_at');
    await this.database.execute(
      sql`DELETE FROM sco_states AS s USING registrations AS r
          WHERE ${ownedBy(application, 'r')} AND r.id = ${id} AND s.registration = r.id`,
    );
    await this.database.execute(
      sql`UPDATE registrations AS r
          SET (${raw(restored.join(', '))}) = (
                SELECT ${raw(restored.map((column) => `f.${column}`).join(', '))}
                FROM former_instances AS f WHERE f.registration = r.id
                ORDER BY f.instance DESC LIMIT 1
              ),
              updated_at = clock_timestamp(), ${endLinks}
          WHERE ${ownedBy(application, 'r')} AND r.id = ${id}`,
    );
    await this.database.execute(
      sql`INSERT INTO sco_states (${states})
          SELECT ${raw(stateColumns.map((column) => `s.${column}`).join(', '))}
          FROM former_sco_states AS s JOIN registrations AS r ON r.id = s.registration
          WHERE ${ownedBy(application, 'r')} AND r.id = ${id} AND s.instance = r.instance`,
    );
    await this.postbacks.addNow(id);
  }

  /** Locks a registration, and the versions of its course, until the transaction ends. */
  private async lock(
    application: AuthenticatedApplication,
    registrationId: string,
  ): Promise<z.output<typeof lockedRow>> {
    const ofRegistration = sql`${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`;
    await this.database.execute(keepVersions(application, registrationId));
    await this.database.execute(
      sql`SELECT FROM registrations AS r WHERE ${ofRegistration} FOR NO KEY UPDATE`,
    );
    const locked = await this.database.maybeOne(
      lockedRow,
      sql`SELECT r.id, r.instance,
                 (SELECT max(f.instance) FROM former_instances AS f WHERE f.registration = r.id)
                   AS former,
                 1 + (SELECT count(*) FROM former_instances AS f WHERE f.registration = r.id)
                   AS count
          FROM registrations AS r WHERE ${ofRegistration}`,
    );
    if (!locked) throw registrationNotFound(registrationId);
    return locked;
  }
}
