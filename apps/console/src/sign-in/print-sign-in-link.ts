import { runTask } from '@registrar/bootstrap';
import { createLogger, readSettings } from '@registrar/platform';
import { ConsoleDatabase } from '../console-database.ts';
import { pathPrefix } from '../http/console-address.ts';
import { consoleSchema } from '../schema.ts';
import { consoleSettings } from '../settings.ts';
import { SignInLinks } from './sign-in-links.ts';

const settings = consoleSettings.pick({
  DATABASE_URL: true,
  CONSOLE_URL: true,
  CONSOLE_PORT: true,
});

/** Prints a link that signs an operator in once: the task `sign-in-link` of the console's program. */
export const printSignInLink = (): Promise<void> =>
  runTask(
    async () => {
      const given = readSettings(settings);
      const { CONSOLE_URL: url, CONSOLE_PORT: port, DATABASE_URL: databaseUrl } = given;
      const database = await ConsoleDatabase.open(consoleSchema, databaseUrl);
      try {
        const token = await new SignInLinks(database).create();
        const origin = url === undefined ? `http://localhost:${port}` : new URL(url).origin;
        process.stdout.write(`${origin}${pathPrefix(given)}/sign-in#${token}\n`);
      } finally {
        await database.dataSource.destroy();
      }
    },
    createLogger('console', 'warn'),
  );
