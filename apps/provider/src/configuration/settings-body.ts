import * as z from 'zod';
import { bodyObject } from '../http/parse.ts';
import { type Configuration, parseValue, settingId, settingIds } from './settings.ts';

/** The body of requests that set settings. They are always stored, also where `explicit` is false. */
export const settingsBody = bodyObject({
  settings: z
    .array(
      bodyObject({
        settingId,
        value: z.string({ error: 'is missing' }).max(2048),
        explicit: z.boolean().optional(),
      }),
    )
    .max(settingIds.length),
});
export type SettingsBody = z.output<typeof settingsBody>;

/** @throws {BadRequestException} for a value that its setting cannot have */
export const configurationOf = ({ settings }: SettingsBody): Configuration =>
  Object.fromEntries(settings.map(({ settingId: id, value }) => [id, parseValue(id, value)]));
