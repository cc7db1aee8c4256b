import { type Outbox } from '@registrar/bus';
import {
  type AccessScope,
  type Act,
  auditActorOf,
  type AuditSubject,
  enrolmentAudited,
} from '@registrar/contracts';
import { describeAct } from '@registrar/platform';

/** Publishes an act of a request with this scope for the audit log, in the transaction of the change. */
export async function publishAct(
  outbox: Outbox,
  scope: AccessScope,
  action: Act['action'],
  subject: AuditSubject,
): Promise<void> {
  const { realmId } = scope;
  const actor = auditActorOf(scope);
  await outbox.publish(enrolmentAudited, describeAct({ action, actor, realmId, subject }));
}
