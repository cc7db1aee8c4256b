import { commonSettings, countSetting, databaseSettings, sealingSettings } from '#libs/platform';
import * as z from 'zod';

/** The environment variables of the enrolment app. */
export const enrolmentSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  /** How long a launch link opens the course: seconds. */
  LAUNCH_LINK_EXPIRY_SECONDS: countSetting.default(120),
});
export type EnrolmentSettings = z.output<typeof enrolmentSettings>;
