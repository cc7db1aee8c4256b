import type { AccessScope } from '@registrar/contracts';
import type { AuthenticatedApplication } from '../access-rules.ts';

/** Whom a package counts for until it has been read: the application of an import, or the realm of a check. */
export interface PackageOwner {
  /** Unique among owners. */
  readonly id: number;
  readonly kind: 'application' | 'realm';
  /** In the log. */
  readonly name: string;
}

export const applicationAsOwner = ({ id }: AuthenticatedApplication): PackageOwner => ({
  id,
  kind: 'application',
  name: `application ${id}`,
});

/** Ids of realms are those of another service: below zero they differ from those of applications. */
export const realmAsOwner = ({ realmId }: Pick<AccessScope, 'realmId'>): PackageOwner => ({
  id: -realmId,
  kind: 'realm',
  name: `realm ${realmId}`,
});
