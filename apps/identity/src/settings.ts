import { commonSettings, countSetting, databaseSettings, sealingSettings } from '#libs/platform';
import * as z from 'zod';

/** The environment variables of the identity app. */
export const identitySettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  /** How long an api key lives that is bound to a user (decision 15): hours. */
  API_KEY_USER_LIFETIME_HOURS: countSetting.default(24),
  /** How long any other api key lives: days. */
  API_KEY_LIFETIME_DAYS: countSetting.default(30),
});
export type IdentitySettings = z.output<typeof identitySettings>;
