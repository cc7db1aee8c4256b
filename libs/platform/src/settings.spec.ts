import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { brokerSettings, portSetting, readSettings, SettingsError } from './settings.ts';

const schema = brokerSettings.extend({ PORT: portSetting.default(8080) });

describe('settings', () => {
  it('are read into types, with their defaults, an empty variable counting as absent', () => {
    const settings = readSettings(schema, { AMQP_URL: 'amqp://broker', PORT: '', OTHER: 'x' });
    expect(settings).toEqual({ AMQP_URL: 'amqp://broker', BUS_NAMESPACE: 'registrar', PORT: 8080 });
  });

  it('name every fault in one message, without the values', () => {
    const faulty = { PORT: 'hunter2', BUS_NAMESPACE: 'Not Allowed' };
    const read = () => readSettings(schema.extend({ KEY: z.string() }), faulty);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/AMQP_URL is not set[^]*BUS_NAMESPACE is malformed[^]*PORT is malformed/);
    expect(read).toThrow(/KEY is not set/);
    expect(read).not.toThrow(/hunter2/);
  });
});
