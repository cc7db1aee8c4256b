import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { welcome } from '#apps/operator';
import {
  createLogger,
  logFile,
  prettyLog,
  readSettings,
  runProcess,
  startTracing,
} from '#libs/platform';
import { standaloneSettings } from './settings.ts';
import { startStandalone } from './start-standalone.ts';

const terminal = createLogger('standalone', 'warn', prettyLog());

await runProcess(async () => {
  const settings = readSettings(standaloneSettings);
  const dataDirectory = resolve(settings.DATA_DIR);
  mkdirSync(dataDirectory, { recursive: true });
  const log = join(settings.DATA_DIR, 'registrar.log');
  const destination = logFile(log);
  const loggerOf = (app: string) => createLogger(app, settings.LOG_LEVEL, destination);
  const endTracing = await startTracing('standalone', loggerOf('standalone'));
  const standalone = await startStandalone(settings, loggerOf);
  const { quickstart, quickstartFile, providerUrl } = standalone;
  const where = { providerUrl, dataDirectory, log, quickstartFile };
  process.stdout.write(welcome(quickstart, where));
  return {
    stop: async () => {
      await standalone.stop();
      await endTracing();
    },
  };
}, terminal);
