import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkOf,
  commandsOf,
  type DocumentedCommand,
  both,
  findChromium,
  findPrograms,
  managementUrls,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { readdirSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from '@registrar/testing/browser';
import { ApiClient } from './client.ts';
import type { DedicatedInstallation } from './dedicated-installation.ts';
import { playFirstAid } from './learner.ts';
import { PageSession } from './page-session.ts';
import { createReaderDirectory } from './reader-directory.ts';

const pages = [
  'docs/operator.md',
  ...readdirSync('docs/alerts').map((name) => `docs/alerts/${name}`),
  'docs/kubernetes.md',
  'docs/operations.md',
];

const withoutComment = ({ text }: DocumentedCommand) => text.replace(/ +#.*$/, '');

/** The commands that need a distributed system. A command without output is run once, however many pages have it. */
const commands = pages
  .flatMap(commandsOf)
  .filter((command) => checkOf(command) === 'distributed')
  .filter(
    (command, place, all) =>
      command.output || all.map(withoutComment).indexOf(withoutComment(command)) === place,
  );

const commandsToRun = (page: string) =>
  commands
    .filter((command) => command.page === page)
    .map((command) => ({ ...command, title: command.text.split('\n')[0] }));

/**
 * Runs the commands of docs/operator.md, docs/operations.md, docs/kubernetes.md and docs/alerts as printed. The
 * pages describe a fresh installation, so their suites come first.
 */
export function describeOperatorsPages(installation: () => DedicatedInstallation): void {
  describe("the operator's pages", () => {
    let directory: string;
    let session: PageSession;
    beforeAll(async () => {
      directory = await createReaderDirectory();
      session = await openSession(installation(), directory);
    });
    afterAll(async () => {
      await session?.close();
      await removeTraces(installation());
      await rm(directory, { recursive: true });
    });
    const run = (command: DocumentedCommand, input?: string) => session.run(command, input);

    describe('the commands of docs/operator.md', () => {
      beforeAll(async () => {
        const api = new ApiClient(installation().system);
        const course_guid = 'first-aid-basics';
        const registration = { ...api.realm, course_guid, learner_id: 'ada@example.com' };
        expect((await api.post('/registration.json', registration)).status).toBe(201);
        await parkEvents(installation());
        await writeFile(join(directory, 'old.secret'), 'the key before the last change');
      });

      it.each(commandsToRun('docs/operator.md'))('$title', async (command) => {
        const printed = await run(command);
        const [, secret] = /^sc_secret_key +(\S+)$/m.exec(printed) ?? [];
        if (secret) await writeFile(join(directory, 'pool.secret'), secret);
      });
    });

    const alertPages = pages.filter((page) => page.includes('/alerts/'));
    describe.each(alertPages.filter((page) => commandsToRun(page).length > 0))(
      'the commands of %s',
      (page) => {
        it.each(commandsToRun(page))('$title', async (command) => {
          expect(await run(command)).not.toBe('');
        });
      },
    );

    describe('the commands of docs/kubernetes.md', () => {
      it.each(commandsToRun('docs/kubernetes.md'))('$title', async (command) => {
        await run(command);
      });
    });

    const programs = both(findChromium(), findPrograms('psql'));
    describeWith(programs, 'the commands of docs/operations.md', ([executablePath]) => {
      it.each(commandsToRun('docs/operations.md'))('$title', async (command) => {
        const asksForPassword = command.text.includes('\\password');
        const printed = await run(command, asksForPassword ? 'password\npassword\n' : '');
        expect(printed).not.toMatch(/^(psql:.*)?(ERROR|FATAL):/m);
        const [, launchUrl] = /^{"launch_url":"([^"]+)"/.exec(printed) ?? [];
        if (!launchUrl) return;
        const browser = await openBrowser(executablePath);
        try {
          await playFirstAid(browser, actualUrl(launchUrl, installation()));
        } finally {
          await browser.close();
        }
      });
    });
  });
}

const documentedProvider = 'localhost:8090';

const actualUrl = (url: string, { system }: DedicatedInstallation) =>
  url.replace(documentedProvider, new URL(system.providerUrl).host);

/** Opens a shell in a directory that looks like the reader's, with the installation at the documented addresses. */
async function openSession(
  { broker, postgres, settings, system }: DedicatedInstallation,
  directory: string,
): Promise<PageSession> {
  await mkdir(join(directory, 'var'));
  await symlink(system.dataDirectory, join(directory, 'var', 'distributed'));
  await writeFile(
    join(directory, 'var', 'quickstart.json'),
    JSON.stringify(system.quickstart, null, 2),
  );
  await writeFile(join(directory, 'roles.sql'), 'CREATE ROLE restored;');
  await broker.control('add_vhost', 'registrar');
  const database = new URL(postgres.url);
  const management = (await managementUrls(system)).get('gateway') ?? '';
  const { toolEnvironment } = broker;
  const environment = {
    ...toolEnvironment,
    PGHOST: database.hostname,
    PGPORT: database.port,
    PGUSER: database.username,
    PGPASSWORD: database.password,
    DATABASE_URL: postgres.url,
    PROVIDER_URL: system.providerUrl,
    DATA_DIR: 'var/distributed',
  };
  return new PageSession(directory, environment, [
    ['localhost:8080', new URL(system.quickstart.base_url).host],
    [documentedProvider, new URL(system.providerUrl).host],
    ['localhost:9090', new URL(management).host],
    ['amqp://guest:guest@localhost:5672', broker.url],
    ['amqp://…', broker.url],
    ['postgres://…', postgres.url],
    ['http://…', broker.managementUrl ?? ''],
    ['28080', settings['PORT'] ?? ''],
    ['28090', settings['PROVIDER_PORT'] ?? ''],
  ]);
}

/** Parks the two events of docs/operator.md, which would take eleven minutes of retries. */
async function parkEvents({ sql }: DedicatedInstallation): Promise<void> {
  const park = (
    context: string,
    event: string,
    content: string,
    attempts: number,
    reason: string,
  ) =>
    `INSERT INTO ${context}.parked_events (message_id, event, content, attempts, reason)
     VALUES ('the-example', ${event}, '${content}', ${attempts}, '${reason}')`;
  const message = {
    messageId: '7b990fdc-a58c-4170-9da9-3ceab5634293',
    name: 'catalog.course-changed',
    payload: {
      courseId: 'one',
      applicationId: 1,
      courseGuid: 'first-aid-basics',
      title: 'First aid basics',
      deleted: false,
      version: 2,
    },
    requestId: 'example',
  };
  const reason = 'malformed catalog.course-changed: courseId (invalid_type)';
  await sql(park('enrolment', `'${message.name}'`, JSON.stringify(message), 5, reason));
  await sql(park('crawler', 'NULL', 'not an event', 1, 'malformed: not an event'));
}

/** Removes what the pages have added and the doctor would report. */
async function removeTraces({ sql }: DedicatedInstallation): Promise<void> {
  await sql(
    `DELETE FROM identity.provider_applications WHERE id > 1; TRUNCATE enrolment.parked_events`,
  );
}
