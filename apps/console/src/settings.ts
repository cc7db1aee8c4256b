import { httpSettings } from '@registrar/bootstrap';
import {
  commonSettings,
  databaseSettings,
  portSetting,
  postbackSettings,
} from '@registrar/platform';
import * as z from 'zod';

const webUrl = z.url({ protocol: /^https?$/ });

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Over plain HTTP, whoever is in between could sign in as anybody. */
const secureUrl = webUrl.superRefine((value, context) => {
  const url = URL.parse(value);
  if (!url || url.protocol === 'https:' || loopback.test(url.hostname)) return;
  context.addIssue({ code: 'custom', message: 'it is https, but for a host name of this machine' });
});

/** A URL whose path becomes the prefix of every path. */
const prefixOf = (schema: typeof webUrl) =>
  schema.superRefine((value, context) => {
    const url = URL.parse(value);
    if (!url || (!url.username && !url.password && !url.search && !url.hash)) return;
    context.addIssue({ code: 'custom', message: 'it has no user, query and fragment' });
  });

/** The environment variables of the console (docs/operations.md). */
export const consoleSettings = z.object({
  ...commonSettings.shape,
  ...httpSettings.shape,
  ...databaseSettings.shape,
  ...postbackSettings.shape,
  CONSOLE_PORT: portSetting.default(8070),
  /** The console's URL for browsers, if it is not `http://localhost:CONSOLE_PORT`. */
  CONSOLE_URL: prefixOf(secureUrl).optional(),
  /** The identity provider. Without one, people sign in with one-time links alone. */
  CONSOLE_OIDC_ISSUER: secureUrl.optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().default('registrar'),
  /** Without it, the console is a public client at the identity provider. */
  CONSOLE_OIDC_CLIENT_SECRET: z.string().optional(),
  /** The claim that has the roles, a list of texts. */
  CONSOLE_ROLES_CLAIM: z.string().default('registrar_roles'),
  /** Where the Overview reads its history; without it, the console keeps samples of its own. */
  PROMETHEUS_URL: prefixOf(webUrl).optional(),
});
export type ConsoleSettings = z.output<typeof consoleSettings>;

/** Injects the {@link ConsoleSettings}. */
export const consoleSettingsToken = Symbol('settings of the console');
