import { commonSettings, portSetting } from '#libs/platform';
import * as z from 'zod';

/** Any origin, or those of a list with commas between them. */
const origins = z
  .string()
  .default('*')
  .transform((text) => (text === '*' ? null : text.split(',').map((origin) => origin.trim())))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).nullable());

/** The environment variables of the gateway (decisions 1 and 10). */
export const gatewaySettings = z.object({
  ...commonSettings.shape,
  PORT: portSetting.default(8080),
  /** Where the API begins; `/api/v2` unless an installation is found elsewhere. */
  API_ROOT: z
    .string()
    .regex(/^(\/[\w.~-]+)+$/, 'it begins with a slash and ends without one')
    .default('/api/v2'),
  /** The gateway as clients reach it, without the API root, where that differs from its port. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The pages that browsers let read answers to API keys; every page by default. */
  CORS_ORIGINS: origins,
});
export type GatewaySettings = z.output<typeof gatewaySettings>;
