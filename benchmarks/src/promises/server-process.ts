import { runDistributedApp } from '@registrar/bootstrap';

import { commonSettings, databaseSettings } from '@registrar/platform';
import * as z from 'zod';
import { startServerApp } from './server-app.ts';

/** Runs the context with the handlers as a process of its own, as it is deployed. */
await runDistributedApp(
  'catalog',
  z.object({ ...commonSettings.shape, ...databaseSettings.shape }),
  (settings, on) => startServerApp(settings.DATABASE_URL, on),
);
