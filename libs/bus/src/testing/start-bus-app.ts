import type { Context } from '@registrar/contracts';
import { nestLogger } from '@registrar/platform';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';
import { BusModule, type BusOptions } from '../bus.module.ts';
import { BusServer } from '../bus-server.ts';

/** An app of a suite, on the bus but without HTTP, health and periodic tasks. */
export interface TestBusApp {
  readonly get: <T>(token: Type<T> | (abstract new (...args: never[]) => T)) => T;
  readonly stop: () => Promise<void>;
}

const everyContext: readonly Context[] = [
  'identity',
  'catalog',
  'enrolment',
  'crawler',
  'provider',
];

/** Starts an app that may send requests to every context. Apps themselves use `startApp` of `@registrar/bootstrap`. */
export async function startBusApp(
  options: Omit<BusOptions, 'registry'> & { module: Type | DynamicModule },
): Promise<TestBusApp> {
  const { module, ...bus } = options;
  const registry = new Registry();
  registry.setDefaultLabels({ app: bus.name });
  const root = class Root {};
  Module({ imports: [BusModule.forRoot({ asks: everyContext, ...bus, registry }), module] })(root);
  const logger = nestLogger(bus.logger);
  const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
  try {
    await app.get(BusServer).start();
  } catch (error) {
    await app.close();
    throw error;
  }
  return { get: (token) => app.get(token), stop: () => app.close() };
}
