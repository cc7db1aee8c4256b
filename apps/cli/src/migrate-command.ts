import {
  contexts,
  environmentOf,
  runContextTask,
  type SchemaMigrated,
  type SchemaOwner,
  schemaOwners,
} from '@registrar/bootstrap';
import { databaseSettings, readSettings } from '@registrar/platform';
import { Argument } from 'commander';
import { addCommand, type OperatorCommand } from './command.ts';

/** `registrar migrate`. */
export function addMigrateCommand(program: OperatorCommand): void {
  addCommand(program, 'migrate', {
    description:
      'bring the schemas of all contexts, or of one app, to this version (needs DATABASE_URL)',
    examples: ['migrate', 'migrate identity --json'],
  })
    .addArgument(new Argument('[app]', 'only this one').choices(schemaOwners))
    .handle(async ({ terminal, output }, chosen: SchemaOwner | undefined) => {
      const { environment } = terminal;
      const wanted = chosen ? [chosen] : contexts;
      for (const context of wanted) {
        readSettings(databaseSettings, environmentOf(context, environment));
      }
      await output.list(migrations(wanted, environment), ['context', 'migrations']);
    });
}

/** One context after the other. */
async function* migrations(wanted: readonly SchemaOwner[], environment: NodeJS.ProcessEnv) {
  const done = [];
  for (const context of wanted) {
    const { migrations } = await runContextTask<SchemaMigrated>(context, 'migrate', environment);
    done.push({ context, migrations });
  }
  yield { items: done };
}
