import { runDistributedApp } from '#libs/bus';
import { commonSettings, databaseSettings } from '#libs/platform';
import * as z from 'zod';
import { startAnsweringApp } from './answering-app.ts';

/** The answering context as a process of its own, as it is deployed. */
await runDistributedApp(
  'catalog',
  z.object({ ...commonSettings.shape, ...databaseSettings.shape }),
  (settings, on) => startAnsweringApp(settings.DATABASE_URL, on),
);
