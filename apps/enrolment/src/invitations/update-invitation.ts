import { type InputOf } from '#libs/bus';
import {
  type AccessScope,
  Failure,
  type InvitationRecord,
  type updateInvitation,
} from '#libs/contracts';
import { Database, sqlState } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { InvitationBooks, type InvitedCourse } from './invitation-books.ts';
import { seatsGiven } from './license-data.ts';
import { requireRealm } from './realm-only.ts';

type Input = InputOf<typeof updateInvitation>;

interface Locked {
  readonly id: number;
  readonly license: boolean;
  readonly custom: string | null;
}

const uniqueViolation = '23505';

/** SQL text that finds the invitation which a request names; `$2` is its {@link valueOf}. */
const condition = ({ by }: Input['invitation']) => (by === 'id' ? 'i.id = $2' : 'i.name = $2');
const valueOf = (named: Input['invitation']) => (named.by === 'id' ? named.id : named.name);

/**
 * Invitation update (decision 24). `license_data` of a new `custom` sets the free seats of the
 * courses in it, from now on, and leaves none to others; a `custom` without it leaves the seats as
 * they are. What learners have got through the invitation stays theirs.
 */
@Injectable()
export class UpdateInvitation {
  constructor(
    private readonly database: Database,
    private readonly books: InvitationBooks,
  ) {}

  async run(input: Input): Promise<InvitationRecord> {
    const { scope, courseGuids } = input;
    requireRealm(scope);
    // The catalog may be asked: not while others wait for the invitation.
    const courses = courseGuids && (await this.findCourses(scope, input.invitation, courseGuids));
    return this.database.transaction(async () => {
      const invitation = await this.lock(scope, input.invitation);
      await this.set(invitation.id, input);
      if (courses) await this.books.setCourses(invitation.id, courses);
      await this.setSeats(invitation, input);
      return this.books.read(scope, invitation.id);
    });
  }

  private async lock({ realmId }: AccessScope, named: Input['invitation']): Promise<Locked> {
    const [invitation] = await this.database.query<Locked>(
      `SELECT i.id, i.license, i.custom FROM invitations AS i
       WHERE i.realm_id = $1 AND ${condition(named)}
       FOR UPDATE`,
      [realmId, valueOf(named)],
    );
    if (!invitation) throw new Failure('not-found', 'no such invitation in this realm');
    return invitation;
  }

  private async set(id: number, input: Input): Promise<void> {
    try {
      await this.database.query(
        `UPDATE invitations
         SET name = coalesce($3, name), description = coalesce($4, description),
             enabled = coalesce($5, enabled), license = coalesce($6, license),
             avoid_duplicate_registrations = coalesce($7, avoid_duplicate_registrations),
             no_updates_allowed = coalesce($8, no_updates_allowed),
             custom = coalesce($9, custom),
             invitation_template_id = coalesce($10, invitation_template_id),
             updated_at = now()
         WHERE realm_id = $1 AND id = $2`,
        [
          input.scope.realmId,
          id,
          input.name,
          input.description,
          input.enabled,
          input.license,
          input.avoidDuplicateRegistrations,
          input.noUpdatesAllowed,
          input.custom,
          input.invitationTemplateId,
        ],
      );
    } catch (error) {
      if (sqlState(error) !== uniqueViolation) throw error;
      throw new Failure('invalid', 'the realm has an invitation of that name');
    }
  }

  /** A course that is in the invitation already stays with its provider application. */
  private async findCourses(
    scope: AccessScope,
    named: Input['invitation'],
    courseGuids: string[],
  ): Promise<InvitedCourse[]> {
    const present = await this.database.query<InvitedCourse>(
      `SELECT c.provider_application_id AS "applicationId", c.course_guid AS "courseGuid"
       FROM invitations AS i JOIN invitation_courses AS c ON c.invitation_id = i.id
       WHERE i.realm_id = $1 AND ${condition(named)}`,
      [scope.realmId, valueOf(named)],
    );
    const known = new Map(present.map((course) => [course.courseGuid, course]));
    const added = await this.books.findCourses(
      scope,
      courseGuids.filter((courseGuid) => !known.has(courseGuid)),
    );
    for (const course of added) known.set(course.courseGuid, course);
    return [...new Set(courseGuids)].map((courseGuid) => known.get(courseGuid)!);
  }

  private async setSeats(invitation: Locked, input: Input): Promise<void> {
    const license = input.license ?? invitation.license;
    const seats = seatsGiven(input.custom ?? invitation.custom, license);
    if (input.custom !== null) await this.books.setSeats(invitation.id, seats);
  }
}
