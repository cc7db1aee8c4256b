import { nestLogger } from '@registrar/platform';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Registry } from 'prom-client';
import { BusModule, type BusOptions } from '../bus.module.ts';
import { createBusMicroservice } from '../create-bus-microservice.ts';

/** An app of a suite, on the bus but without HTTP, health and periodic tasks. */
export interface TestBusApp {
  readonly get: <T>(token: Type<T> | (abstract new (...args: never[]) => T)) => T;
  readonly stop: () => Promise<void>;
}

/** Starts an app of a suite. Apps themselves use `startApp` of `@registrar/bootstrap`. */
export async function startBusApp(
  options: Omit<BusOptions, 'registry'> & { module: Type | DynamicModule },
): Promise<TestBusApp> {
  const { module, ...bus } = options;
  const registry = new Registry();
  registry.setDefaultLabels({ app: bus.name });
  const root = class Root {};
  Module({ imports: [BusModule.forRoot({ ...bus, registry }), module] })(root);
  const logger = nestLogger(bus.logger);
  const app = await createBusMicroservice(root, { logger, abortOnError: false });
  try {
    await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
  return { get: (token) => app.get(token), stop: () => app.close() };
}
