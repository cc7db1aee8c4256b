import { rotateLaunchKey } from '@registrar/contracts';
import { addCommand, type OperatorCommand } from './command.ts';

/** `registrar launch-key`. */
export function addLaunchKeyCommands(program: OperatorCommand): void {
  const launchKey = program
    .command('launch-key')
    .description('change the key that signs launch URLs');

  addCommand(launchKey, 'rotate', {
    description: 'sign launch URLs with a new key of our own course provider, from now on',
    examples: ['launch-key rotate', 'launch-key rotate --end-links'],
  })
    .option('--end-links', 'let no URL that was signed before open a course any more')
    .handle(async ({ output, ask }, { endLinks = false }: { endLinks?: boolean }) => {
      const { kid } = await ask((bus) => bus.request(rotateLaunchKey, { endLinks }));
      await output.record({ kid, links_before: endLinks ? 'ended' : 'open until they expire' });
    });
}
