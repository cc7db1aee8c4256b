import { readSettings } from '@registrar/platform';
import { prepareQuickstart, readQuickstart } from '@registrar/quickstart';
import type { Command } from 'commander';
import { join } from 'node:path';
import { addCommand } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import { ownProviderUrl } from './own-applications.ts';
import { operatorSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** `registrar quickstart`. */
export function addQuickstartCommand(program: Command, terminal: Terminal): void {
  addCommand(program, 'quickstart', {
    description: 'fill a fresh installation with a demo realm and a sample course',
    examples: ['quickstart', 'quickstart --json'],
  }).action(async (options: { json?: true }) => {
    const output = new Output(terminal, options.json === true);
    const settings = readSettings(operatorSettings, terminal.environment);
    const file = join(settings.DATA_DIR, 'quickstart.json');
    if (await readQuickstart(file)) {
      await output.record({ file, written: false });
      output.note(`${file} is there already: nothing to do.`);
      return;
    }
    const baseUrl = `${settings.PUBLIC_URL}${settings.API_ROOT}`;
    const addresses = { baseUrl, providerUrl: await ownProviderUrl(terminal) };
    await withInstallation(terminal, (bus) => prepareQuickstart(bus, addresses, file));
    await output.record({ file, written: true });
  });
}
