import {
  databaseSettings,
  portSetting,
  readSettings,
  reportsDatabaseSettings,
  SettingsError,
} from '@registrar/platform';
import type { BusAccounts } from '@registrar/bus';
import { listRealms } from '@registrar/contracts';
import * as z from 'zod';
import { type AppName, apps, contexts, environmentOf } from '@registrar/bootstrap';
import { addCommand, type Call, type OperatorCommand } from './command.ts';
import { alarmsCheck } from './doctor/alarms-check.ts';
import { brokerChecks } from './doctor/broker-checks.ts';
import { type Check, fail, findings, ok, warn } from './doctor/check.ts';
import { databaseChecks } from './doctor/database-checks.ts';
import { managementChecks, withoutManagement } from './doctor/management-checks.ts';
import { diskCheck, keyFileCheck, portCheck } from './doctor/machine-checks.ts';
import { providersCheck } from './doctor/provider-checks.ts';
import { repliesCheck } from './doctor/replies-check.ts';
import { standbyCheck } from './doctor/standby-check.ts';
import { masterKeyFile, operatorSettings } from './settings.ts';

const doctorSettings = operatorSettings
  .extend(databaseSettings.partial().shape)
  .extend(reportsDatabaseSettings.shape)
  .extend({
    /** RabbitMQ's management API, with a user of its own or that of `AMQP_URL`. */
    AMQP_MANAGEMENT_URL: z.url({ protocol: /^https?$/ }).optional(),
  })
  .extend({ PORT: portSetting.default(8080), PROVIDER_PORT: portSetting.default(8090) });

/** `registrar doctor`. */
export function addDoctorCommand(program: OperatorCommand): void {
  addCommand(program, 'doctor', {
    description: 'look for what is wrong with an installation, and say what to do about it',
    examples: ['doctor', 'doctor --json'],
  }).handle(async (call) => {
    const { output, json } = call;
    let failures = 0;
    async function* all() {
      for await (const found of findings(checksOf(call))) {
        failures += found.filter(({ state }) => state === 'fail').length;
        yield { items: found };
      }
    }
    if (json) await output.list(all(), ['state', 'check', 'finding', 'remedy']);
    else {
      for await (const { items: found } of all()) {
        for (const { state, check, finding, remedy } of found) {
          const what = remedy === null ? '' : `. To do: ${remedy}`;
          await output.text(`${state.padEnd(4)}  ${check}: ${finding}${what}\n`);
        }
      }
    }
    if (failures > 0) {
      throw new Error(failures === 1 ? 'one check failed' : `${failures} checks failed`);
    }
  });
}

function checksOf({ terminal, ask }: Call): Check[] {
  const { environment } = terminal;
  let settings: z.output<typeof doctorSettings>;
  try {
    settings = readSettings(doctorSettings, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'set them as docs/operations.md says; nothing else was checked';
    return [{ name: 'settings', look: async () => fail(error.message, remedy) }];
  }
  const { API_ROOT: root, AMQP_MANAGEMENT_URL: managementUrl } = settings;
  const { REPORTS_DATABASE_URL: standbyUrl } = settings;
  const databases = urlsOf(contexts, environment, 'DATABASE_URL');
  const primaryUrl = databases.get('enrolment');
  const brokers = urlsOf(apps, environment, 'AMQP_URL');
  const keyFile = masterKeyFile(terminal);
  const stores =
    brokers.size === 0
      ? [processCheck(ask)]
      : [
          ...(databases.size > 0 ? databaseChecks(databases) : [unset('DATABASE_URL')]),
          ...(standbyUrl && primaryUrl ? [standbyCheck(standbyUrl, primaryUrl)] : []),
          ...brokerChecks(brokers, settings.BUS_NAMESPACE),
          alarmsCheck([...brokers.values()][0]!),
          ...(managementUrl && settings.AMQP_URL
            ? managementChecks(managementUrl, settings.AMQP_URL, settings.BUS_NAMESPACE)
            : [withoutManagement]),
          sendersCheck(settings.BUS_ACCOUNTS),
          ...(settings.AMQP_URL
            ? [repliesCheck(settings.AMQP_URL, settings.BUS_NAMESPACE, ask)]
            : []),
        ];
  return [
    ...stores,
    ...(keyFile
      ? [keyFileCheck(keyFile), providersCheck(keyFile, settings.AMQP_URL, ask)]
      : [unset('MASTER_KEY_FILE')]),
    diskCheck(settings.DATA_DIR),
    portCheck('PORT', settings.PORT, ({ headers }) => headers.has('x-request-id'), root),
    portCheck(
      'PROVIDER_PORT',
      settings.PROVIDER_PORT,
      ({ headers }) => headers.get('www-authenticate') === 'Basic realm="provider"',
      '/api/v2/ping',
    ),
  ];
}

/** Whether receivers of messages know who sent them. */
const sendersCheck = (accounts: BusAccounts): Check => ({
  name: 'senders of messages',
  look: async () =>
    accounts === 'per-app'
      ? ok('each app has an account at RabbitMQ')
      : warn(
          'all apps share an account at RabbitMQ: who sent a message is not verified',
          'outside of development, give each app an account (registrar grants rabbitmq), and unset ' +
            'BUS_ACCOUNTS',
        ),
});

/** Whether the one process of `npm start` answers, which has database and bus within itself. */
const processCheck = (ask: Call['ask']): Check => ({
  name: 'Registrar',
  look: () =>
    ask(async (bus) => {
      await bus.exchange(listRealms, { cursor: null, limit: 1 });
      return ok('it runs, and its database answers');
    }),
});

/** The addresses of a store, of those apps that have one. */
function urlsOf<App extends AppName>(
  names: readonly App[],
  environment: NodeJS.ProcessEnv,
  setting: 'DATABASE_URL' | 'AMQP_URL',
): Map<App, string> {
  const urls = new Map<App, string>();
  for (const app of names) {
    const url = readSettings(doctorSettings, environmentOf(app, environment))[setting];
    if (url !== undefined) urls.set(app, url);
  }
  return urls;
}

const unset = (setting: string): Check => ({
  name: setting,
  look: async () =>
    warn('it is not set, so that what it leads to was not checked', `set ${setting} for a check`),
});
