import { SettingsError } from '@registrar/platform';
import { operatorKeys } from '../bus-keys.ts';
import { type Check, fail, ok } from './check.ts';

/** Whether the command line has keys of the bus that belong together, and those of every app. */
export const busKeysCheck = (environment: NodeJS.ProcessEnv, dataDirectory: string): Check => ({
  name: 'keys of the bus',
  look: async () => {
    try {
      const { apps } = operatorKeys(environment, dataDirectory);
      const changing = [...apps].filter(([, keys]) => keys.length > 1).map(([app]) => app);
      return ok(
        changing.length === 0
          ? `${apps.size} apps have one each`
          : `each of ${apps.size} apps has one or more; several: ${changing.join(', ')}`,
      );
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return fail(
        error.message.replaceAll(/\s+/g, ' '),
        'name the files that registrar bus-keys create wrote, in BUS_PRIVATE_KEY_FILE and ' +
          'BUS_PUBLIC_KEYS_FILE',
      );
    }
  },
});
