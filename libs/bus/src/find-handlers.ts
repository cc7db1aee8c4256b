import type { EventContract, ListContract, RequestContract } from '@registrar/contracts';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/internal';
import { type DiscoveryService, type ExternalContextCreator, MetadataScanner } from '@nestjs/core';
import { type EventDelivery, handlerDeclarations, parametersKey } from './handlers.ts';

/** Calls a handler through its guards, pipes, interceptors and filters. */
type Call = (message: unknown) => Promise<unknown>;

export interface RequestHandler {
  readonly contract: RequestContract | ListContract;
  readonly call: Call;
}

/** Every handler that an app has for one event, all with the same delivery. */
export interface EventHandlers {
  readonly contract: EventContract;
  readonly delivery: EventDelivery;
  readonly calls: Call[];
}

/** The handlers of an app, by the names of their contracts. */
export interface Handlers {
  readonly requests: ReadonlyMap<string, RequestHandler>;
  readonly events: ReadonlyMap<string, EventHandlers>;
}

type Method = (...parameters: unknown[]) => unknown;

/**
 * Finds the handlers on all providers and controllers of a Nest application.
 *
 * @param app the name of the application
 * @throws when two methods handle one request, when an event has handlers of several deliveries, when the
 * app handles a broadcast that its contract does not send to it, and when a handler's class is
 * request-scoped or provided by more than one module
 */
export function findHandlers(
  discovery: DiscoveryService,
  contexts: ExternalContextCreator,
  app: string,
): Handlers {
  const requests = new Map<string, RequestHandler>();
  const events = new Map<string, EventHandlers>();
  for (const { instance, key, method, declarations } of decoratedMethods(discovery)) {
    const call = throughNest(contexts, instance, key, method);
    for (const { kind, contract } of declarations) {
      const { name } = contract;
      if (kind === 'request') {
        if (requests.has(name)) throw new Error(`${name} has two handlers`);
        requests.set(name, { contract, call });
        continue;
      }
      const listeners: readonly string[] = contract.listeners;
      if (kind === 'broadcast' && !listeners.includes(app)) {
        throw new Error(`${app} handles broadcasts of ${name}: add it to the event's listeners`);
      }
      const known = events.get(name);
      if (known && known.delivery !== kind) {
        throw new Error(
          `${name} has handlers of several deliveries: ${known.delivery} and ${kind}`,
        );
      }
      if (known) known.calls.push(call);
      else events.set(name, { contract, delivery: kind, calls: [call] });
    }
  }
  return { requests, events };
}

function* decoratedMethods(discovery: DiscoveryService) {
  const scanner = new MetadataScanner();
  const seen = new Map<unknown, object>();
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    const { metatype } = wrapper;
    // For a request-scoped class Nest holds a prototype, which has the decorators as well.
    const instance = wrapper.instance as Record<string, Method> | null | undefined;
    if (wrapper.isAlias || typeof instance !== 'object' || instance === null) continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    if (!prototype) continue;
    for (const key of scanner.getAllMethodNames(prototype)) {
      const method = prototype[key];
      const declarations = handlerDeclarations(prototype, key);
      if (!method || declarations.length === 0) continue;
      const name = metatype?.name ?? String(wrapper.name);
      if (!wrapper.isDependencyTreeStatic()) {
        throw new Error(`${name} handles messages, so it cannot be request-scoped`);
      }
      const first = seen.get(metatype ?? instance);
      if (first && first !== instance) {
        throw new Error(`${name} handles messages, so only one module may provide it`);
      }
      seen.set(metatype ?? instance, instance);
      yield { instance, key, method, declarations };
    }
  }
}

const messageParameter = {
  exchangeKeyForValue: (_type: number, _data: unknown, [message]: unknown[]) => message,
};

function throughNest(
  contexts: ExternalContextCreator,
  instance: Record<string, Method>,
  key: string,
  method: Method,
): Call {
  // Nest's default filter would log every error, expected failures included. So filters apply only
  // where the handler or its class declares some.
  const filters = [method, instance.constructor].some((target) =>
    Reflect.hasMetadata(EXCEPTION_FILTERS_METADATA, target),
  );
  const options = { guards: true, interceptors: true, filters };
  const call = contexts.create(
    instance,
    method,
    key,
    parametersKey,
    messageParameter,
    undefined,
    undefined,
    options,
    'rpc',
  ) as Method;
  return async (message) => call(message, {});
}
