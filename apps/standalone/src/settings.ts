import { catalogSettings } from '@registrar/catalog';
import { consoleSettings } from '@registrar/console';
import { crawlerSettings } from '@registrar/crawler';
import { enrolmentSettings } from '@registrar/enrolment';
import { gatewaySettings } from '@registrar/gateway';
import { identitySettings } from '@registrar/identity';
import { providerSettings } from '@registrar/provider';
import * as z from 'zod';

/** What standalone finds out by itself: its database and its keys. */
const found = { DATABASE_URL: true, MASTER_KEY_FILE: true } as const;
/** The embedded PostgreSQL has no standby. */
const foundByEnrolment = { ...found, REPORTS_DATABASE_URL: true } as const;
const foundByProvider = { DATABASE_URL: true, LAUNCH_KEY_FILE: true } as const;

/** Whether the console is started. */
export const consoleSwitch = z.enum(['on', 'off']).default('on');

/** The settings of every app in one process (docs/operations.md). */
export const standaloneSettings = z.object({
  DATA_DIR: z.string().default('var'),
  ...gatewaySettings.shape,
  ...identitySettings.omit(found).shape,
  ...catalogSettings.omit(found).shape,
  ...enrolmentSettings.omit(foundByEnrolment).shape,
  ...crawlerSettings.omit(found).shape,
  ...consoleSettings.omit({ DATABASE_URL: true }).shape,
  CONSOLE: consoleSwitch,
  ...providerSettings.omit(foundByProvider).shape,
});
export type StandaloneSettings = z.infer<typeof standaloneSettings>;
