import type { Outbox } from '@registrar/bus';
import { type Act, type AuditSubject, crawlerAudited, operatorActor } from '@registrar/contracts';
import { describeAct } from '@registrar/platform';

/**
 * Publishes an act of the operator, or of a user of the console, for the audit log, in the transaction of the change.
 *
 * @param realmId the realm of the provider application; null for the applications of all realms
 */
export async function publishAct(
  outbox: Outbox,
  action: Act['action'],
  realmId: number | null,
  subject: AuditSubject,
): Promise<void> {
  await outbox.publish(
    crawlerAudited,
    describeAct({ action, actor: operatorActor, realmId, subject }),
  );
}
