import {
  commonSettings,
  countSetting,
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
  /** The lifetime of a launch link in seconds (contract/registrations#launch-expiry). */
  LAUNCH_LINK_EXPIRY_SECONDS: countSetting.default(120),
  /**
   * How many registrations user-bound keys may create for a user in a provider application within an
   * hour (contract/registrations#create-limit).
   */
  LEARNER_REGISTRATIONS_PER_HOUR: countSetting.default(100),
});
export type EnrolmentSettings = z.output<typeof enrolmentSettings>;
