import { describe, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import {
  brokerSettings,
  databaseSettings,
  portSetting,
  readSettings,
  SettingsError,
} from './settings.ts';

const schema = brokerSettings.extend({ PORT: portSetting.default(8080) });

describe('settings', () => {
  it('settings are parsed with defaults, and an empty variable counts as absent', () => {
    const settings = readSettings(schema, { AMQP_URL: 'amqp://broker', PORT: '', OTHER: 'x' });
    expect(settings).toEqual({
      AMQP_URL: 'amqp://broker',
      BUS_NAMESPACE: 'registrar',
      BUS_ACCOUNTS: 'per-app',
      PORT: 8080,
    });
  });

  it('settings are read from NAME_FILE where NAME is absent', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    const file = join(directory, 'url');
    await writeFile(file, 'amqp://in-a-file\n');
    const read = (environment: Record<string, string>) =>
      readSettings(schema, environment).AMQP_URL;
    expect(read({ AMQP_URL_FILE: file })).toBe('amqp://in-a-file');
    expect(read({ AMQP_URL_FILE: file, AMQP_URL: 'amqp://broker' })).toBe('amqp://broker');
    await rm(directory, { recursive: true });
    expect(() => read({ AMQP_URL_FILE: file })).toThrow(/AMQP_URL_FILE: ENOENT/);
  });

  it('settings fail with one message that names every fault without values', () => {
    const faulty = { PORT: 'hunter2', BUS_NAMESPACE: 'Not Allowed' };
    const read = () => readSettings(schema.extend({ KEY: z.string() }), faulty);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/AMQP_URL is not set[^]*BUS_NAMESPACE is malformed[^]*PORT is malformed/);
    expect(read).toThrow(/KEY is not set/);
    expect(read).not.toThrow(/hunter2/);
  });

  it.each([
    ['postgres://db/registrar?sslmode=require', 'sslmode is verify-full or disable'],
    ['postgres://db/registrar?sslmode=no-verify', 'sslmode is verify-full or disable'],
    ['postgres://db/registrar?sslrootcert=/ca.crt', 'sslrootcert needs sslmode=verify-full'],
    ['postgres://db/registrar?ssl=no-verify', 'sslmode says whether'],
    ['postgres://db/registrar?sslmode=verify-full&uselibpqcompat=true', 'sslmode says whether'],
  ])('settings refuse %s, whose encryption is ambiguous', (DATABASE_URL, reason) => {
    expect(() => readSettings(databaseSettings, { DATABASE_URL })).toThrow(reason);
  });

  it.each([
    ['amqp://broker?cacertfile=/ca.crt', 'cacertfile needs amqps'],
    ['amqps://broker?verify=verify_none', 'amqps always verifies the broker'],
  ])('settings refuse %s, whose encryption is contradictory', (AMQP_URL, reason) => {
    expect(() => readSettings(brokerSettings, { AMQP_URL })).toThrow(reason);
  });

  it('settings accept addresses of stores with verified TLS, and without TLS', () => {
    const read = (environment: Record<string, string>) =>
      readSettings(brokerSettings.extend(databaseSettings.shape), environment);
    for (const environment of [
      {
        AMQP_URL: 'amqps://broker:5671?cacertfile=/ca.crt&server_name_indication=rabbitmq',
        DATABASE_URL: 'postgres://db/registrar?sslmode=verify-full&sslrootcert=/ca.crt',
      },
      { AMQP_URL: 'amqp://broker', DATABASE_URL: 'postgres://db/registrar?sslmode=disable' },
    ]) {
      expect(read(environment)).toMatchObject(environment);
    }
  });
});
