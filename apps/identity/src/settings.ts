import {
  commonSettings,
  countSetting,
  databaseSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The environment variables of the identity app. */
export const identitySettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  /** The lifetime of a user-bound API key in hours (contract/api-keys#lifetime). */
  API_KEY_USER_LIFETIME_HOURS: countSetting.default(24),
  /** The lifetime of any other API key in days. */
  API_KEY_LIFETIME_DAYS: countSetting.default(30),
  /** How long entries of the audit log are kept: days. */
  AUDIT_RETENTION_DAYS: countSetting.default(400),
});
export type IdentitySettings = z.output<typeof identitySettings>;

/** Injects {@link IdentitySettings}. */
export const identitySettingsToken = Symbol('settings of identity');
