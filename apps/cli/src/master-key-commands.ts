import type { ReplyOf } from '@registrar/bus';
import { Failure, resealSecrets } from '@registrar/contracts';
import type { Command } from 'commander';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** `registrar master-key`. */
export function addMasterKeyCommands(program: Command, terminal: Terminal): void {
  const masterKey = addGroup(program, 'master-key', 'change the key that seals provider secrets');

  addCommand(masterKey, 'reseal', {
    description:
      'seal every provider secret under the first key of MASTER_KEY_FILE, as identity has it',
    examples: ['master-key reseal'],
  }).action(async (options: { json?: true }) => {
    const output = new Output(terminal, options.json === true);
    const done = { resealed: 0, unopened: [] as number[] };
    await withInstallation(terminal, async (bus) => {
      for (let after: number | null = 0; after !== null;) {
        const page: ReplyOf<typeof resealSecrets> = await bus.request(resealSecrets, { after });
        done.resealed += page.resealed;
        done.unopened.push(...page.unopened);
        after = page.next;
      }
    });
    await output.record(done);
    if (done.unopened.length > 0) {
      throw new Failure('invalid', 'no key opens the secrets of the provider applications told');
    }
  });
}
