import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { createInvitation, Failure } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { FindInvitedCourses } from './find-invited-courses.ts';
import { InvitationRepository } from './invitation-repository.ts';
import { customWithLicenseData, parseLicenseSeats } from './license-data.ts';
import { randomLicenseKey } from './license-key.ts';

/** Invitation create (contract/invitations#create). */
@Controller()
export class CreateInvitation {
  constructor(
    private readonly database: Database,
    private readonly findInvitedCourses: FindInvitedCourses,
    private readonly invitations: InvitationRepository,
  ) {}

  @HandleRequest(createInvitation)
  async create(input: InputOf<typeof createInvitation>): Promise<ReplyOf<typeof createInvitation>> {
    const { scope, license, licenseData } = input;
    requireRealmAccess(scope);
    // contract/invitations#license-key
    const name = input.name ?? (license ? randomLicenseKey() : null);
    if (name === null) throw new Failure('invalid', 'an invitation without license needs a name');
    const custom =
      licenseData === null ? input.custom : customWithLicenseData(input.custom, licenseData);
    const seats = parseLicenseSeats(custom, license ?? false);
    const courses = await this.findInvitedCourses.find(scope, input.courseGuids ?? []);
    return this.database.transaction(async () => {
      const id = await this.invitations.insert({ ...input, name, custom });
      await this.invitations.setCourses(id, courses);
      if (seats) await this.invitations.setSeats(id, seats);
      return this.invitations.record(scope, id);
    });
  }
}
