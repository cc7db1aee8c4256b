import {
  commonSettings,
  countSetting,
  databaseSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The environment variables of the catalog app. */
export const catalogSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  /** Bytes of the largest course package that is accepted. */
  MAX_PACKAGE_BYTES: countSetting.default(256 * 1024 * 1024),
});
export type CatalogSettings = z.output<typeof catalogSettings>;
