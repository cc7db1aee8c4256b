import { realmUserRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';

/** The realm user record (decision 23). */
export const realmUserDescription = describeRecord('realm-user', 'realm-users', realmUserRecord, {
  sets: { public_minimum: ['id', 'user_id', 'email'] },
});
