import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { updateInvitation } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { FindInvitedCourses } from './find-invited-courses.ts';
import {
  InvitationRepository,
  type InvitedCourse,
  type LockedInvitation,
} from './invitation-repository.ts';
import { customWithLicenseData, parseLicenseSeats } from './license-data.ts';

type Input = InputOf<typeof updateInvitation>;

/**
 * Invitation update (contract/invitations#update). Learners keep their registrations, also for
 * courses that are removed.
 */
@Controller()
export class UpdateInvitation {
  constructor(
    private readonly database: Database,
    private readonly findInvitedCourses: FindInvitedCourses,
    private readonly invitations: InvitationRepository,
  ) {}

  @HandleRequest(updateInvitation)
  async update(input: Input): Promise<ReplyOf<typeof updateInvitation>> {
    const { scope, courseGuids } = input;
    requireRealmAccess(scope);
    // Before the lock: a request to the catalog would block concurrent requests meanwhile.
    const courses = courseGuids && (await this.findCourses(input, courseGuids));
    return this.database.transaction(async () => {
      const invitation = await this.invitations.lock(scope, input.invitation);
      const changes = { ...input, custom: newCustom(invitation, input) };
      await this.invitations.update(invitation.id, changes);
      if (courses) await this.invitations.setCourses(invitation.id, courses);
      await this.setSeats(invitation, changes);
      return this.invitations.record(scope, invitation.id);
    });
  }

  /** A course that is in the invitation already keeps its provider application. */
  private async findCourses(
    { scope, invitation }: Input,
    courseGuids: readonly string[],
  ): Promise<InvitedCourse[]> {
    const present = await this.invitations.courses(scope, invitation);
    const courses = new Map(present.map((course) => [course.courseGuid, course]));
    const added = await this.findInvitedCourses.find(
      scope,
      courseGuids.filter((courseGuid) => !courses.has(courseGuid)),
    );
    for (const course of added) courses.set(course.courseGuid, course);
    return [...new Set(courseGuids)].map((courseGuid) => courses.get(courseGuid)!);
  }

  /** Only a new `custom` changes seats (contract/invitations#license-data-update). */
  private async setSeats(invitation: LockedInvitation, input: Input): Promise<void> {
    const license = input.license ?? invitation.license;
    // Parsed in any case: the stored text must be readable too when the invitation becomes a license.
    const seats = parseLicenseSeats(input.custom ?? invitation.custom, license);
    if (seats && input.custom !== null) await this.invitations.setSeats(invitation.id, seats);
  }
}

/** The new `custom`; null leaves it unchanged. */
function newCustom(invitation: LockedInvitation, { custom, licenseData }: Input): string | null {
  return licenseData === null
    ? custom
    : customWithLicenseData(custom ?? invitation.custom, licenseData);
}
