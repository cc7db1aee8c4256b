#!/usr/bin/env node
import { join } from 'node:path';
import { rabbitMqTransport, BusClient, startApp } from '#libs/bus';
import { createLogger, readSettings } from '#libs/platform';
import { Command } from 'commander';
import { prepareQuickstart, readQuickstart } from './quickstart.ts';
import { operatorSettings } from './settings.ts';

const program = new Command('registrar').description('Operates an installation of Registrar.');

program
  .command('quickstart')
  .description('fill a fresh installation with a demo realm and a sample course')
  .action(async () => {
    const settings = readSettings(operatorSettings);
    const logger = createLogger('operator', settings.LOG_LEVEL);
    const file = join(settings.DATA_DIR, 'quickstart.json');
    if (await readQuickstart(file)) {
      process.stdout.write(`${file} is there already: nothing to do.\n`);
      return;
    }
    const { AMQP_URL: url, BUS_NAMESPACE: namespace } = settings;
    const transport = rabbitMqTransport({ url, namespace, logger });
    const app = await startApp({ name: 'operator', module: class {}, transport, logger });
    const baseUrl = `${settings.PUBLIC_URL}${settings.API_ROOT}`;
    const addresses = { baseUrl, providerUrl: settings.PROVIDER_URL };
    await prepareQuickstart(app.get(BusClient), addresses, file).finally(() => app.stop());
    process.stdout.write(`Wrote ${file}.\n`);
  });

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`registrar: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
