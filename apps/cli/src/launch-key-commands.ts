import { rotateLaunchKey } from '@registrar/contracts';
import type { Command } from 'commander';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** `registrar launch-key`. */
export function addLaunchKeyCommands(program: Command, terminal: Terminal): void {
  const launchKey = addGroup(program, 'launch-key', 'change the key that signs launch URLs');

  addCommand(launchKey, 'rotate', {
    description: 'sign launch URLs with a new key of our own course provider, from now on',
    examples: ['launch-key rotate', 'launch-key rotate --end-links'],
  })
    .option('--end-links', 'let no URL that was signed before open a course any more')
    .action(async ({ endLinks = false, json }: { endLinks?: boolean; json?: true }) => {
      const output = new Output(terminal, json === true);
      const { kid } = await withInstallation(terminal, (bus) =>
        bus.request(rotateLaunchKey, { endLinks }),
      );
      await output.record({ kid, links_before: endLinks ? 'ended' : 'open until they expire' });
    });
}
