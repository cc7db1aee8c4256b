import { commonSettings, databaseSettings, portSetting } from '@registrar/platform';
import * as z from 'zod';

/** The environment variables of the provider app. */
export const providerSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  PROVIDER_PORT: portSetting.default(8090),
  /** Base URL of launch links. Default: `http://localhost` and the port. */
  PROVIDER_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
});
export type ProviderSettings = z.output<typeof providerSettings>;
