import { type INestMicroservice, type NestApplicationOptions, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { BusServer } from './bus-server.ts';

/** Creates an app that only handles messages, on the bus of its `BusModule`. */
export const createBusMicroservice = (
  module: Type,
  options: NestApplicationOptions,
): Promise<INestMicroservice> =>
  NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    ...options,
    inject: [BusServer],
    useFactory: (strategy: BusServer) => ({ strategy }),
  });
