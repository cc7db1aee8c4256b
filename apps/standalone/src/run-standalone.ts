import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProcess } from '@registrar/bootstrap';
import { createLogger, logFile, prettyLog, readSettings, startTracing } from '@registrar/platform';
import { printRefused } from './print-refused.ts';
import { standaloneSettings } from './settings.ts';
import { startStandalone } from './start-standalone.ts';
import { welcome } from './welcome.ts';

const terminal = createLogger('standalone', 'warn', prettyLog());

/** Runs the whole product as this process. */
export const runStandalone = (): Promise<void> =>
  runProcess(async () => {
    const settings = readSettings(standaloneSettings);
    const dataDirectory = resolve(settings.DATA_DIR);
    mkdirSync(dataDirectory, { recursive: true });
    const log = join(settings.DATA_DIR, 'registrar.log');
    const destination = logFile(log);
    const loggerOf = (app: string) => createLogger(app, settings.LOG_LEVEL, destination);
    const endTracing = await startTracing('standalone', loggerOf('standalone'));
    const standalone = await startStandalone(settings, loggerOf, {
      databaseUrl: null,
      onRefused: printRefused,
    });
    const { quickstart, quickstartFile, providerUrl, signInLink, notices } = standalone;
    const where = { providerUrl, signInLink, dataDirectory, log, quickstartFile, notices };
    process.stdout.write(welcome(quickstart, where));
    return {
      stop: async () => {
        await standalone.stop();
        await endTracing();
      },
    };
  }, terminal);
