import { type Configuration, type SettingId, settings } from '../configuration/settings.ts';
import type { RegistrationDetails } from '../registrations/registration-details.ts';
import type { Receiver } from './post-result.ts';

const valueOf = (configuration: Configuration, id: SettingId): string =>
  configuration[id] ?? settings[id].default;

/**
 * Returns where the results of a registration are posted.
 *
 * @param open opens the sealed password
 */
export const receiverOf = (
  configuration: Configuration,
  open: (sealed: string) => string,
): Receiver => ({
  url: valueOf(configuration, 'ApiRollupRegistrationPostBackUrl'),
  authType:
    valueOf(configuration, 'ApiRollupRegistrationAuthType') === 'httpbasic' ? 'httpbasic' : 'form',
  userName: valueOf(configuration, 'ApiRollupRegistrationAuthUser'),
  password: open(valueOf(configuration, 'ApiRollupRegistrationAuthPassword')),
});

/** Returns the parts of the record that are posted: the course, its activities, or their run-time data too. */
export function detailsOf(configuration: Configuration): RegistrationDetails {
  const format = valueOf(configuration, 'ApiRollupRegistrationFormat');
  return {
    includeChildResults: format !== 'course',
    includeInteractionsAndObjectives: format === 'full',
    includeRuntime: format === 'full',
  };
}
