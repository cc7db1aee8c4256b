import { clock } from './clock.ts';
import { type Act, type AuditActor, type AuditedAct, maxFactLength } from '@registrar/contracts';
import { currentRequestContext } from './request-context.ts';

/**
 * Describes an act of the current request for the audit log: with the time, and the address of the
 * client. The actor of a request of the console is its user. Cuts texts that are too long, such as names that callers
 * choose.
 */
export const describeAct = <Described extends Act>({
  subject = {},
  ...act
}: Described): AuditedAct & Pick<Described, 'action'> => ({
  ...act,
  actor: actorOf(act.actor, currentRequestContext()?.consoleUser),
  occurredAt: clock.date().toISOString(),
  clientAddress: currentRequestContext()?.clientAddress ?? null,
  subject: Object.fromEntries(
    Object.entries(subject).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? fact.slice(0, maxFactLength).toWellFormed() : fact,
    ]),
  ),
});

const actorOf = (actor: AuditActor, consoleUser: string | undefined): AuditActor =>
  consoleUser === undefined
    ? actor
    : { kind: 'console', id: null, applicationId: null, name: consoleUser };
