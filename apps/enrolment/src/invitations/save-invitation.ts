import { BusClient, HandleRequest, type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  createInvitation,
  Failure,
  findCourse,
  type InvitationRecord,
  updateInvitation,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { reachedCourses, requireInvitationCreate, requireRealmAccess } from '../access-rules.ts';
import {
  InvitationRepository,
  type InvitedCourse,
  invitedCourseRow,
  type LockedInvitation,
} from './invitation-repository.ts';
import {
  customWithInitiatingUser,
  customWithLicenseData,
  initiatingUserOf,
  parseLicenseSeats,
} from './license-data.ts';
import { randomLicenseKey } from './license-key.ts';

type Update = InputOf<typeof updateInvitation>;

/** Invitation create and update (contract/invitations). */
@Controller()
export class SaveInvitation {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
  ) {}

  /** Invitation create (contract/invitations#create). */
  @HandleRequest(createInvitation)
  async create(input: InputOf<typeof createInvitation>): Promise<InvitationRecord> {
    const { scope } = input;
    const license = input.license ?? false;
    const given = newCustom(null, input);
    const custom = scope.user ? customWithInitiatingUser(given, scope.user.email) : given;
    requireInvitationCreate(scope, { license, initiatingUser: initiatingUserOf(custom) });
    // contract/invitations#license-key
    const name = input.name ?? (license ? randomLicenseKey() : null);
    if (name === null) throw new Failure('invalid', 'an invitation without license needs a name');
    const seats = parseLicenseSeats(custom, license);
    const courses = await this.findCourses(scope, input.courseGuids ?? []);
    return this.database.transaction(async () => {
      const id = await this.invitations.insert({ ...input, name, custom });
      await this.invitations.setCourses(id, courses);
      if (seats) await this.invitations.setSeats(id, seats);
      return this.invitations.record(scope, id);
    });
  }

  /**
   * Invitation update (contract/invitations#update). Learners keep their registrations, also for
   * courses that are removed.
   */
  @HandleRequest(updateInvitation)
  async update(input: Update): Promise<InvitationRecord> {
    const { scope, courseGuids } = input;
    requireRealmAccess(scope);
    // Before the lock: a request to the catalog would block concurrent requests meanwhile.
    const courses = courseGuids && (await this.newCourses(input, courseGuids));
    return this.database.transaction(async () => {
      const invitation = await this.invitations.lock(scope, input.invitation);
      const changes = { ...input, custom: newCustom(invitation.custom, input) };
      await this.invitations.update(invitation.id, changes);
      if (courses) await this.invitations.setCourses(invitation.id, courses);
      await this.setSeats(invitation, changes);
      return this.invitations.record(scope, invitation.id);
    });
  }

  /** A course that is in the invitation already keeps its provider application. */
  private async newCourses(
    { scope, invitation }: Update,
    courseGuids: readonly string[],
  ): Promise<InvitedCourse[]> {
    const present = await this.invitations.courses(scope, invitation);
    const courses = new Map(present.map((course) => [course.courseGuid, course]));
    const added = await this.findCourses(
      scope,
      courseGuids.filter((courseGuid) => !courses.has(courseGuid)),
    );
    for (const course of added) courses.set(course.courseGuid, course);
    return [...new Set(courseGuids)].map((courseGuid) => courses.get(courseGuid)!);
  }

  /**
   * Finds the provider application of each course among those that the scope reaches
   * (contract/registrations#create-application). Asks the catalog only for courses that are missing in
   * the copy of courses.
   *
   * @returns each course once, in the order of `courseGuids`
   * @throws {Failure} `not-found` for a course that no application holds, or more than one
   * (contract/invitations#create-unknown-course)
   */
  private async findCourses(
    scope: AccessScope,
    courseGuids: readonly string[],
  ): Promise<InvitedCourse[]> {
    const { applicationIds } = scope;
    const copied = await this.database.many(
      invitedCourseRow,
      sql`SELECT DISTINCT c.provider_application_id AS "applicationId", c.course_guid AS "courseGuid"
          FROM courses AS c
          WHERE ${reachedCourses(scope)} AND c.course_guid = ANY(${courseGuids}) AND NOT c.deleted`,
    );
    const holders = Map.groupBy(copied, (course) => course.courseGuid);
    const courses: InvitedCourse[] = [];
    for (const courseGuid of new Set(courseGuids)) {
      const [course, another] = holders.get(courseGuid) ?? [];
      if (another) throw new Failure('not-found', 'several provider applications hold the course');
      courses.push(course ?? (await this.bus.request(findCourse, { applicationIds, courseGuid })));
    }
    return courses;
  }

  /** Only a new `custom` changes seats (contract/invitations#license-data-update). */
  private async setSeats(invitation: LockedInvitation, input: Update): Promise<void> {
    const license = input.license ?? invitation.license;
    // Parsed in any case: the stored text must be readable too when the invitation becomes a license.
    const seats = parseLicenseSeats(input.custom ?? invitation.custom, license);
    if (seats && input.custom !== null) await this.invitations.setSeats(invitation.id, seats);
  }
}

/** The new `custom`; null leaves the stored one unchanged. */
const newCustom = (
  stored: string | null,
  { custom, licenseData }: Pick<Update, 'custom' | 'licenseData'>,
): string | null =>
  licenseData === null ? custom : customWithLicenseData(custom ?? stored, licenseData);
