import type { ReplyOf } from '@registrar/bus';
import { Failure, resealSecrets } from '@registrar/contracts';
import { addCommand, type OperatorCommand } from './command.ts';

/** `registrar master-key`. */
export function addMasterKeyCommands(program: OperatorCommand): void {
  const masterKey = program
    .command('master-key')
    .description('change the key that seals provider secrets');

  addCommand(masterKey, 'reseal', {
    description:
      'seal every provider secret under the first key of MASTER_KEY_FILE, as identity has it',
    examples: ['master-key reseal'],
  }).handle(async ({ output, ask }) => {
    const done = { resealed: 0, unopened: [] as number[] };
    await ask(async (bus) => {
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
