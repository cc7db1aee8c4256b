import { permissionDefinitions } from '@registrar/bus';
import { roleStatements } from '@registrar/persistence';
import { brokerSettings, readSettings } from '@registrar/platform';
import { addCommand, type OperatorCommand } from './command.ts';

/** `registrar grants`: what the stores must allow each app, for those who keep the stores. */
export function addGrantsCommands(program: OperatorCommand): void {
  const grants = program
    .command('grants')
    .description('tell what each app needs at the stores, and no more');

  addCommand(grants, 'postgresql', {
    description:
      'SQL that gives each context a role that owns its schema alone; run it as a superuser',
    examples: ['grants postgresql | psql registrar'],
  })
    .option('--prefix <text>', "begins the roles' names", 'registrar_')
    .handle(async ({ output, json }, { prefix }: { prefix: string }) => {
      const sql = roleStatements(prefix);
      await (json ? output.record({ sql }) : output.text(sql));
    });

  addCommand(grants, 'rabbitmq', {
    description: 'the permissions of the user of each app, for rabbitmqctl import_definitions',
    examples: ['grants rabbitmq --vhost / > permissions.json'],
  })
    .option('--vhost <name>', 'the virtual host of the installation', '/')
    .option('--prefix <text>', "begins the users' names", 'registrar-')
    .handle(
      async ({ terminal, output, json }, { vhost, prefix }: { vhost: string; prefix: string }) => {
        const { BUS_NAMESPACE: namespace } = readSettings(
          brokerSettings.pick({ BUS_NAMESPACE: true }),
          terminal.environment,
        );
        const definitions = permissionDefinitions({ namespace, vhost, prefix });
        await (json
          ? output.record(definitions)
          : output.text(`${JSON.stringify(definitions, null, 2)}\n`));
      },
    );
}
