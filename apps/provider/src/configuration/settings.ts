import * as z from 'zod';
import { httpUrl } from '../egress/http-url.ts';
import { parse } from '../http/parse.ts';
import { exitActionSettings } from './exit-actions.ts';
import { playerSettings } from './player-settings.ts';
import { resultSettings } from './result-settings.ts';
import { choiceSetting, oneOf, type Setting } from './setting.ts';

/** Part of the credentials of postbacks. */
export const postbackCredential = z
  .string()
  .max(255)
  .regex(/^\P{Cc}*$/u, { error: 'contains control characters' });

/** All settings. Others are refused, so that none is ignored without notice. */
export const settings = {
  ...playerSettings,
  ...exitActionSettings,
  ...resultSettings,
  ApiRollupRegistrationPostBackUrl: {
    default: '',
    dataType: 'string',
    description: 'Where changes of results are posted. Empty: nowhere.',
    value: z.union([z.literal(''), httpUrl]),
  },
  ApiRollupRegistrationAuthType: choiceSetting(
    'Whether postbacks are forms with the credentials, or JSON with Basic authentication.',
    ['form', 'httpbasic'],
  ),
  ApiRollupRegistrationAuthUser: {
    default: '',
    dataType: 'string',
    description: 'The user name of postbacks.',
    value: postbackCredential.regex(/^[^:]*$/, { error: 'contains a colon' }),
  },
  ApiRollupRegistrationAuthPassword: {
    default: '',
    dataType: 'password',
    description: 'The password of postbacks. It is not shown.',
    value: postbackCredential,
  },
  ApiRollupRegistrationFormat: choiceSetting(
    'How much of a result is posted: the course, its activities, or their run-time data too.',
    ['course', 'activity', 'full'],
  ),
  ApiRollupRegistrationIsJson: {
    default: 'true',
    dataType: 'boolean',
    description: 'Results are posted as JSON.',
    ...oneOf(['true']),
  },
} satisfies Record<string, Setting>;

export type SettingId = keyof typeof settings;
export const settingIds = Object.keys(settings) as [SettingId, ...SettingId[]];

/** The settings that are set at one level, such as that of a course. A password is sealed. */
export type Configuration = Readonly<Partial<Record<SettingId, string>>>;
/** As it is read from the database. */
export const configuration = z.custom<Configuration>();

export const settingId = z.enum(settingIds, {
  error: ({ input }) => `${String(input).slice(0, 60)} is not a setting of this provider`,
});

/** Returns the form in which a value is stored. @throws {BadRequestException} for one that the setting cannot have */
export function parseValue(id: SettingId, value: string): string {
  return parse(z.object({ [id]: settings[id].value }), { [id]: value })[id] ?? '';
}
