import { httpSettings } from '@registrar/bootstrap';
import { commonSettings, databaseSettings, portSetting } from '@registrar/platform';
import * as z from 'zod';
import { originsSetting } from './egress/allowed-origins.ts';

/** A URL with a wildcard in place of the first label of its host, or with none. */
const contentUrl = /^https?:\/\/(\*\.)?[^*]+$/;

/** The environment variables of the provider app. */
export const providerSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...httpSettings.shape,
  PROVIDER_PORT: portSetting.default(8090),
  /**
   * Base URL of course windows, with a wildcard for the label of each registration. Default:
   * `http://*.localhost` and the port.
   */
  PROVIDER_CONTENT_URL: z
    .url({ protocol: /^https?$/ })
    .regex(contentUrl, {
      error: 'a * must be the first label of the host, as in https://*.example.com',
    })
    .refine((url) => !URL.canParse(url) || new URL(url).hostname !== 'localhost', {
      error: 'localhost is a host of the API: set http://*.localhost or http://127.0.0.1',
    })
    .optional(),
  /**
   * The key that seals the keys of launch links and the passwords of postbacks: a file with 32 bytes in base64 per
   * line.
   */
  LAUNCH_KEY_FILE: z.string(),
  /** The origins that results of registrations may be posted to. Default: none. */
  PROVIDER_POSTBACK_ORIGINS: originsSetting,
  /** The origins that packages may be fetched from. Default: none. */
  PROVIDER_FETCH_ORIGINS: originsSetting,
});
export type ProviderSettings = z.output<typeof providerSettings>;
