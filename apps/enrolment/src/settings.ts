import {
  commonSettings,
  databaseSettings,
  postbackSettings,
  reportsDatabaseSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The environment variables of the enrolment app. */
export const enrolmentSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...reportsDatabaseSettings.shape,
  ...sealingSettings.shape,
  ...postbackSettings.shape,
});
export type EnrolmentSettings = z.output<typeof enrolmentSettings>;
