import * as z from 'zod';
import type { AccessScope } from './access.ts';

/**
 * The clients of an earlier service that a realm serves as that service did, where it differs from the contract
 * (contract/compatibility).
 */
export const realmCompatibility = z.object({
  clients: z.enum(['bright']),
  /** User-bound keys may create licenses, and ask whether an invitation exists (contract/compatibility#user-licenses). */
  userLicenses: z.boolean(),
});
export type RealmCompatibility = z.infer<typeof realmCompatibility>;

type Compatible = Pick<AccessScope, 'compatibility'>;

/** Whether the realm serves the clients of Bright as Bright did (contract/compatibility#setting). */
export const isBright = ({ compatibility }: Compatible): boolean =>
  compatibility?.clients === 'bright';

/** Whether user-bound keys of the realm may create licenses (contract/compatibility#user-licenses). */
export const allowsUserLicenses = ({ compatibility }: Compatible): boolean =>
  compatibility?.userLicenses ?? false;
