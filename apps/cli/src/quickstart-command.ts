import { readSettings } from '@registrar/platform';
import { prepareQuickstart, readQuickstart } from '@registrar/quickstart';
import { join } from 'node:path';
import { addCommand, type OperatorCommand } from './command.ts';
import { ownProviderUrl } from './own-applications.ts';
import { operatorSettings } from './settings.ts';

/** `registrar quickstart`. */
export function addQuickstartCommand(program: OperatorCommand): void {
  addCommand(program, 'quickstart', {
    description: 'fill a fresh installation with a demo realm and a sample course',
    examples: ['quickstart', 'quickstart --json'],
  }).handle(async ({ terminal, output, ask }) => {
    const settings = readSettings(operatorSettings, terminal.environment);
    const file = join(settings.DATA_DIR, 'quickstart.json');
    if (await readQuickstart(file)) {
      await output.record({ file, written: false });
      output.note(`${file} is there already: nothing to do.`);
      return;
    }
    const baseUrl = `${settings.PUBLIC_URL}${settings.API_ROOT}`;
    const addresses = { baseUrl, providerUrl: await ownProviderUrl(terminal) };
    await ask((bus) => prepareQuickstart(bus, addresses, file));
    await output.record({ file, written: true });
  });
}
