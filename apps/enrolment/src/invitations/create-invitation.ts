import { type InputOf } from '#libs/bus';
import { type createInvitation, Failure, type InvitationRecord } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { InvitationBooks } from './invitation-books.ts';
import { seatsGiven } from './license-data.ts';
import { requireRealm } from './realm-only.ts';

/** Invitation create (decision 24). */
@Injectable()
export class CreateInvitation {
  constructor(
    private readonly database: Database,
    private readonly books: InvitationBooks,
  ) {}

  async run(input: InputOf<typeof createInvitation>): Promise<InvitationRecord> {
    const { scope, license, custom } = input;
    requireRealm(scope);
    const seats = seatsGiven(custom, license ?? false);
    const courses = await this.books.findCourses(scope, input.courseGuids ?? []);
    return this.database.transaction(async () => {
      const id = await this.insert(input);
      await this.books.setCourses(id, courses);
      await this.books.setSeats(id, seats);
      return this.books.read(scope, id);
    });
  }

  private async insert(input: InputOf<typeof createInvitation>): Promise<number> {
    const [made] = await this.database.query<{ id: number }>(
      `INSERT INTO invitations (
         realm_id, name, description, enabled, license, avoid_duplicate_registrations,
         no_updates_allowed, custom, invitation_template_id
       )
       VALUES (
         $1, $2, $3, coalesce($4, true), coalesce($5, false), coalesce($6, false),
         coalesce($7, false), $8, $9
       )
       ON CONFLICT (realm_id, name) DO NOTHING
       RETURNING id`,
      [
        input.scope.realmId,
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
    if (!made) throw new Failure('invalid', 'the realm has an invitation of that name');
    return made.id;
  }
}
