import { type AccessScope, accessScope, allPermissions } from '@registrar/contracts';
import type * as z from 'zod';

/** The scope of an API key of realm 1 that reaches the whole realm, unless the parts say otherwise. */
export const testScope = (parts: Partial<z.input<typeof accessScope>> = {}): AccessScope =>
  accessScope.parse({
    mode: 'api_key',
    realmId: 1,
    applicationIds: [],
    wholeRealm: true,
    user: null,
    apiKeyId: null,
    permissions: [...allPermissions],
    secretGeneration: null,
    expiresAt: null,
    limits: null,
    compatibility: null,
    ...parts,
  });
