import { apiKeyOperations } from '../api-keys/api-key-operations.ts';
import { courseProviderOperations } from '../course-providers/course-provider-operations.ts';
import { courseOperations } from '../courses/course-operations.ts';
import { invitationOperations } from '../invitations/invitation-operations.ts';
import { queryOperations } from '../queries/query-operations.ts';
import { realmUserOperations } from '../realm-users/realm-user-operations.ts';
import { registrationOperations } from '../registrations/registration-operations.ts';
import { templateOperations } from '../templates/template-operations.ts';
import { utilOperations } from '../util/util-operations.ts';
import type { Operation } from './operation.ts';

/** Every operation of the API (docs/decisions/0008-table-of-operations.md). */
export const operations: readonly Operation[] = [
  ...apiKeyOperations,
  ...courseOperations,
  ...courseProviderOperations,
  ...registrationOperations,
  ...invitationOperations,
  ...realmUserOperations,
  ...templateOperations,
  ...queryOperations,
  ...utilOperations,
];
