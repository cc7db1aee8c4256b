import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import 'reflect-metadata';

/**
 * Nest calls the handlers on controllers alone, and each controller of each module.
 *
 * @throws when a provider has a handler, and when several modules list a controller with handlers
 */
export function assertHandlersOnControllers(discovery: DiscoveryService): void {
  const scanner = new MetadataScanner();
  const isHandling = ({ prototype }: NewableFunction) =>
    scanner
      .getAllMethodNames(prototype as object)
      .some((name) =>
        Reflect.hasMetadata(PATTERN_METADATA, (prototype as Record<string, object>)[name]!),
      );
  for (const { metatype, isAlias } of discovery.getProviders()) {
    if (isAlias || typeof metatype !== 'function' || !metatype.prototype) continue;
    if (isHandling(metatype)) {
      throw new Error(
        `${metatype.name} handles messages: list it under the controllers of its module`,
      );
    }
  }
  const seen = new Set<unknown>();
  for (const { metatype } of discovery.getControllers()) {
    if (typeof metatype !== 'function' || !isHandling(metatype)) continue;
    if (seen.has(metatype)) {
      throw new Error(`${metatype.name} handles messages, so only one module may list it`);
    }
    seen.add(metatype);
  }
}
