import type { PayloadOf } from '@registrar/bus';
import type { AuditAction, providerAudited } from '@registrar/contracts';
import { describeAct } from '@registrar/platform';
import { NotFoundException } from '@nestjs/common';
import type { RememberedApplication } from '../access-rules.ts';

/** Describes an act on the registrations of a learner, whom it does not name: the log is kept for long. */
export const learnerAct = (
  action: AuditAction,
  { appId }: Pick<RememberedApplication, 'appId'>,
  registrations: number,
): PayloadOf<typeof providerAudited> => ({
  ...describeAct({
    action,
    // Identity knows the application by its own id.
    actor: { kind: 'provider', id: null, applicationId: null },
    realmId: null,
    subject: { app_id: appId, registrations },
  }),
  appId,
});

export const learnerNotFound = (learnerId: string) =>
  new NotFoundException(`Could not find registrations of learner [${learnerId}]`);
