import {
  id,
  requireApplication,
  rotatePostbackSecret,
  showPostbackSecret,
} from '@registrar/contracts';
import * as z from 'zod';
import { realmCall } from '../calls/define-call.ts';

/** Shows the credentials of the postbacks of a provider application. */
export const showPostbackCredentials = realmCall({
  role: 'administrator',
  input: z.object({ application: id }),
  handle: async ({ bus, scope }, { application }) => {
    requireApplication(scope, application);
    return bus.request(showPostbackSecret, { applicationId: application });
  },
});

/** Replaces the password of the postbacks of a provider application. The password before is refused within 30 seconds. */
export const rotatePostbackPassword = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ application: id }),
  handle: async ({ bus, scope }, { application }) => {
    requireApplication(scope, application);
    return bus.request(rotatePostbackSecret, { applicationId: application });
  },
});
