import { SettingsError } from '@registrar/platform';
import { CommanderError } from 'commander';
import { addApplicationCommands } from './application-commands.ts';
import { addAuditCommand } from './audit-command.ts';
import { OperatorCommand } from './command.ts';
import { addCourseCommands } from './course-commands.ts';
import { addCrawlCommands } from './crawl-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addGrantsCommands } from './grants-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLaunchKeyCommands } from './launch-key-commands.ts';
import { addMasterKeyCommands } from './master-key-commands.ts';
import { addProbeCommand } from './probe-command.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addParkedCommands } from './parked-commands.ts';
import { addProviderCommands } from './provider-commands.ts';
import { addQueryCommands } from './query-commands.ts';
import { addQuickstartCommand } from './quickstart-command.ts';
import { addRealmCommands } from './realm-commands.ts';
import { addRequestCommand } from './request-command.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** The exit codes, as `registrar --help` lists them. */
const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

const environmentHelp = `
Settings (environment):
  DATA_DIR          the directory of a Registrar that npm start runs on this machine (default: var)
  AMQP_URL          instead of that: the broker of a distributed installation, such as
                    amqp://user:password@rabbitmq:5672
  BUS_ACCOUNTS      shared if all apps and the command line share an account at that broker (default:
                    per-app)
  BUS_NAMESPACE     begins the names of its exchanges and queues (default: registrar)
  MASTER_KEY_FILE   the file of the master key; for provider test and doctor (default without AMQP_URL:
                    master.key in DATA_DIR)
  PROVIDER_URL      our own course provider as the services call it (default: http://localhost:8090, or
                    where npm start runs it)
  DATABASE_URL      the database; for migrate and doctor. IDENTITY_DATABASE_URL is identity's own, and so
                    for every context

Exit codes:
  0  it is done
  1  it failed, or the installation could not be reached; the reason is on standard error
  2  the command line or a setting is wrong; nothing was done`;

/**
 * The operator's command line.
 *
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function runRegistrar(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new OperatorCommand(terminal, 'registrar')
    .description('Operates an installation of Registrar.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText('after', environmentHelp);
  addRealmCommands(program);
  addApplicationCommands(program);
  addProviderCommands(program);
  addKeyCommands(program);
  addCourseCommands(program);
  addQueryCommands(program);
  addCrawlCommands(program);
  addParkedCommands(program);
  addAuditCommand(program);
  addQuickstartCommand(program);
  addDoctorCommand(program);
  addProbeCommand(program);
  addRequestCommand(program);
  addMigrateCommand(program);
  addMasterKeyCommands(program);
  addLaunchKeyCommands(program);
  addGrantsCommands(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has already printed the reason.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    }
    terminal.stderr.write(`registrar: ${error instanceof Error ? error.message : String(error)}\n`);
    const isMisuse = error instanceof UsageError || error instanceof SettingsError;
    return isMisuse ? exitCodes.misused : exitCodes.failed;
  }
}
