import { type AccessScope, Failure, findCourse, type InvitationRecord } from '#libs/contracts';
import { BusClient } from '#libs/bus';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { invitationColumns, invitationRecord, type InvitationRow } from './invitation-record.ts';
import { type GivenSeats } from './license-data.ts';

/** A course of an invitation, and the provider application that it belongs to. */
export interface InvitedCourse {
  readonly applicationId: number;
  readonly courseGuid: string;
}

/** What create and update of an invitation have in common: its courses, seats and record. */
@Injectable()
export class InvitationBooks {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
  ) {}

  /**
   * The provider application of each course (decision 13), by the realm's copy of courses. The
   * catalog is asked for what the copy does not know yet.
   *
   * @throws {Failure} `not-found` for a course that no application, or more than one, holds
   */
  async findCourses(scope: AccessScope, courseGuids: readonly string[]): Promise<InvitedCourse[]> {
    const { applicationIds } = scope;
    const copied = await this.database.query<InvitedCourse>(
      `SELECT DISTINCT provider_application_id AS "applicationId", course_guid AS "courseGuid"
       FROM courses
       WHERE provider_application_id = ANY($1) AND course_guid = ANY($2) AND NOT deleted`,
      [applicationIds, courseGuids],
    );
    const holders = Map.groupBy(copied, (course) => course.courseGuid);
    const courses: InvitedCourse[] = [];
    for (const courseGuid of new Set(courseGuids)) {
      const [one, another] = holders.get(courseGuid) ?? [];
      if (another) throw new Failure('not-found', 'several provider applications hold a course');
      courses.push(one ?? (await this.bus.request(findCourse, { applicationIds, courseGuid })));
    }
    return courses;
  }

  /** Makes these the courses of an invitation that the caller has locked or made, in this order. */
  async setCourses(invitationId: number, courses: readonly InvitedCourse[]): Promise<void> {
    await this.database.query(
      `WITH given AS (
         SELECT * FROM unnest($2::integer[], $3::text[])
           WITH ORDINALITY AS c (provider_application_id, course_guid, place)
       ), dropped AS (
         DELETE FROM invitation_courses
         WHERE invitation_id = $1 AND course_guid <> ALL($3)
       )
       INSERT INTO invitation_courses (invitation_id, place, provider_application_id, course_guid)
       SELECT $1, place, provider_application_id, course_guid FROM given
       ON CONFLICT (invitation_id, course_guid) DO UPDATE
       SET place = excluded.place, provider_application_id = excluded.provider_application_id`,
      [
        invitationId,
        courses.map((course) => course.applicationId),
        courses.map((course) => course.courseGuid),
      ],
    );
  }

  /** Sets the free seats of an invitation that the caller has locked or made; null leaves them. */
  async setSeats(invitationId: number, seats: GivenSeats): Promise<void> {
    if (!seats) return;
    await this.database.query(
      `WITH dropped AS (
         DELETE FROM invitation_seats WHERE invitation_id = $1 AND course_guid <> ALL($2)
       )
       INSERT INTO invitation_seats (invitation_id, course_guid, free)
       SELECT $1, s.course_guid, s.free FROM unnest($2::text[], $3::integer[]) AS s (course_guid, free)
       ON CONFLICT (invitation_id, course_guid) DO UPDATE SET free = excluded.free`,
      [invitationId, [...seats.keys()], [...seats.values()]],
    );
  }

  async read(scope: AccessScope, invitationId: number): Promise<InvitationRecord> {
    const [row] = await this.database.query<InvitationRow>(
      `SELECT ${invitationColumns} FROM invitations AS i WHERE i.realm_id = $1 AND i.id = $2`,
      [scope.realmId, invitationId],
    );
    if (!row) throw new Failure('not-found', 'no such invitation in this realm');
    return invitationRecord(row);
  }
}
