import { commonSettings, countSetting, databaseSettings, sealingSettings } from '#libs/platform';
import * as z from 'zod';

/** The environment variables of the catalog app. */
export const catalogSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  /** The largest course package that is taken: bytes. */
  MAX_PACKAGE_BYTES: countSetting.default(256 * 1024 * 1024),
});
export type CatalogSettings = z.output<typeof catalogSettings>;
