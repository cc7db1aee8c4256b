import type { Setting } from './setting.ts';
import { type Configuration, type SettingId, settingIds, settings } from './settings.ts';

/** The configurations that a value may come from, the most general one first. */
export interface Layer {
  /** The name of the level in the API. */
  readonly source: 'application' | 'course' | 'registration';
  readonly configuration: Configuration;
}

/** What is shown in place of a password. */
const hiddenValue = '********';

/**
 * Returns the settings as they hold at a level.
 *
 * @param layers the level itself at the end, and those above it
 */
export const toSettingItems = (layers: readonly Layer[], includeMetadata: boolean) => ({
  settingItems: settingIds.map((id) => {
    const chosen = layers.findLast(({ configuration }) => configuration[id] !== undefined);
    const explicit = layers.at(-1)?.configuration[id];
    return {
      id,
      effectiveValue: shown(id, chosen?.configuration[id] ?? settings[id].default),
      effectiveValueSource: chosen?.source ?? 'default',
      ...(explicit !== undefined && { explicitValue: shown(id, explicit) }),
      ...(includeMetadata && { metadata: metadataOf(id) }),
    };
  }),
});

const shown = (id: SettingId, value: string) =>
  settings[id].dataType === 'password' && value !== '' ? hiddenValue : value;

function metadataOf(id: SettingId) {
  const { default: defaultValue, dataType, description, validValues }: Setting = settings[id];
  return {
    default: defaultValue,
    dataType,
    settingDescription: description,
    level: 'registration',
    learningStandardVariant: 'either',
    ...(validValues && { validValues: validValues.map((value) => ({ value })) }),
  };
}
