import { httpSettings } from '@registrar/bootstrap';
import { commonSettings, countSetting, portSetting } from '@registrar/platform';
import * as z from 'zod';

/** `*`, or a list of origins separated by commas. */
const origins = z
  .string()
  .default('*')
  .transform((text) => (text === '*' ? null : text.split(',').map((origin) => origin.trim())))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).nullable());

/** The environment variables of the gateway. */
export const gatewaySettings = z.object({
  ...commonSettings.shape,
  ...httpSettings.shape,
  PORT: portSetting.default(8080),
  /** The path of the API (contract/formats#api-root). */
  API_ROOT: z
    .string()
    .regex(/^(\/[\w.~-]+)+$/, 'it begins with a slash and ends without one')
    .default('/api/v2'),
  /** The public URL of the gateway without the API root, if it differs from the port's. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The origins whose pages may read responses to API keys (contract/access#cors-allow-list). */
  CORS_ORIGINS: origins,
  /** The rates of clients at each gateway (docs/operations.md#limits-of-realms). Default: none. */
  REALM_REQUESTS_PER_SECOND: countSetting.optional(),
  KEY_REQUESTS_PER_SECOND: countSetting.optional(),
});
export type GatewaySettings = z.output<typeof gatewaySettings>;

/** Injects the {@link GatewaySettings}. */
export const gatewaySettingsToken = Symbol('gateway settings');
