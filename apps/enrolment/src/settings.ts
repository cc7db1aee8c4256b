import {
  commonSettings,
  databaseSettings,
  postbackSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The environment variables of the enrolment app. */
export const enrolmentSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  ...postbackSettings.shape,
});
export type EnrolmentSettings = z.output<typeof enrolmentSettings>;
