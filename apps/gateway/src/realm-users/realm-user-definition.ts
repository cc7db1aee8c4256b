import { realmUserRecord } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

/** The realm user record (contract/realm-users#record). */
export const realmUserDefinition = defineRecord('realm-user', 'realm-users', realmUserRecord, {
  sets: { public_minimum: ['id', 'user_id', 'email'] },
});

/** The address of a user, a text in JSON (contract/realm-users#autocomplete-response). */
export const emailDefinition = defineRecord(
  'email',
  'emails',
  realmUserRecord.pick({ email: true }),
  {
    plain: true,
  },
);
