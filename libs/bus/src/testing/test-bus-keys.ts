import { busApps } from '@registrar/contracts';
import {
  type BusKeys,
  type BusKeySettings,
  generateBusKeys,
  readBusKeys,
} from '../authentication/bus-keys.ts';

const generated = generateBusKeys(busApps);

/** The keys of an app as its settings: key pairs that this process has generated for all apps. */
export const testBusKeySettings: Readonly<Record<(typeof busApps)[number], BusKeySettings>> =
  generated;

/** Returns the keys of an app. @throws {SettingsError} for an app that does not exist */
export const testBusKeysOf = (app: string): BusKeys =>
  readBusKeys(app, generated[app as keyof typeof generated] ?? generated.gateway);
