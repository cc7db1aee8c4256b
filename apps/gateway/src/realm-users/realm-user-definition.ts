import { realmUserRecord } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

/** The realm user record (contract/realm-users#record). */
export const realmUserDefinition = defineRecord('realm-user', 'realm-users', realmUserRecord, {
  sets: { public_minimum: ['id', 'user_id', 'email'] },
});
