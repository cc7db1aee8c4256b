import { writeBusKeyFiles } from '@registrar/bus';
import { type BusApp, busApps } from '@registrar/contracts';
import { Argument, type Command } from 'commander';
import { addCommand, addGroup } from './command.ts';
import { Output } from './output.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** `registrar bus-keys`: the keys by which apps authenticate their messages. */
export function addBusKeysCommands(program: Command, terminal: Terminal): void {
  const busKeys = addGroup(program, 'bus-keys', 'the keys by which apps authenticate messages');

  addCommand(busKeys, 'create', {
    description:
      'write a key pair for each app, or for the given ones, to a directory: <app>.key with the ' +
      'private key, and public-keys',
    examples: ['bus-keys create --directory keys', 'bus-keys create --directory next identity'],
  })
    .addArgument(new Argument('[apps...]', 'the apps').choices(busApps))
    .requiredOption('--directory <path>', 'where no keys are yet')
    .action(async (given: BusApp[], { directory, json }: { directory: string; json?: true }) => {
      const apps = given.length > 0 ? given : busApps;
      try {
        await writeBusKeyFiles(directory, apps);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new UsageError(`${directory} has keys already: name another directory`);
      }
      await new Output(terminal, json === true).record({ directory, apps });
    });
}
