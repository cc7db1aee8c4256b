import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { ensureUser, ensureUsers } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { EnsureUsers } from './ensure-users.ts';

/** Makes the users of e-mail addresses learners of a realm. */
@Controller()
export class EnsureLearners {
  // EnsureUsers itself has no handler: Nest does not inject controllers into other classes.
  constructor(private readonly users: EnsureUsers) {}

  @HandleRequest(ensureUser)
  ensureLearner({
    realmId,
    email,
  }: InputOf<typeof ensureUser>): Promise<ReplyOf<typeof ensureUser>> {
    return this.users.ensureOne(realmId, email, 'learner');
  }

  @HandleRequest(ensureUsers)
  async ensureLearners({
    realmId,
    emails,
  }: InputOf<typeof ensureUsers>): Promise<ReplyOf<typeof ensureUsers>> {
    return { users: await this.users.ensure(realmId, emails, 'learner') };
  }
}
