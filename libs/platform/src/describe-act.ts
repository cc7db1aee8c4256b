import { clock } from './clock.ts';
import { type Act, type AuditedAct, maxFactLength } from '@registrar/contracts';
import { currentRequestContext } from './request-context.ts';

/**
 * Describes an act of the current request for the audit log: with the time, and the address of the
 * client. Cuts texts that are too long, such as names that callers choose.
 */
export const describeAct = <Described extends Act>({
  subject = {},
  ...act
}: Described): AuditedAct & Pick<Described, 'action'> => ({
  ...act,
  occurredAt: clock.date().toISOString(),
  clientAddress: currentRequestContext()?.clientAddress ?? null,
  subject: Object.fromEntries(
    Object.entries(subject).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? fact.slice(0, maxFactLength).toWellFormed() : fact,
    ]),
  ),
});
