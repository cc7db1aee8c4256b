export * from './bus-client.ts';
export { BusConnection, BusModule, type BusOptions } from './bus.module.ts';
export { BusServer, drainTimeoutMs } from './bus-server.ts';
export { createBusMicroservice } from './create-bus-microservice.ts';
export { HandleBroadcast, HandleEvent, HandleEvents, HandleRequest } from './handlers.ts';
export type { EventsOf, InputOf, PayloadOf, ReplyOf } from './handlers.ts';
export { IdempotencyStore } from './idempotency-store.ts';
export * from './in-process/in-process-transport.ts';
export * from './migrations.ts';
export * from './outbox.ts';
export { brokerTls } from './rabbitmq/broker-tls.ts';
export * from './rabbitmq/permissions.ts';
export { rabbitMqTransport } from './rabbitmq/rabbitmq-transport.ts';
export type { BusAccounts } from './rabbitmq/senders.ts';
export {
  type QueueDeclaration,
  requestQueueNumbers,
  type RequestRoute,
  requestRoutes,
  Topology,
} from './rabbitmq/topology.ts';
export { Readiness } from './readiness.ts';
export type { BusTransport } from './transport.ts';
export { busSocketPath, probeBusSocket } from './unix-socket/socket-path.ts';
export { type BusSocket, serveBusSocket } from './unix-socket/socket-server.ts';
export { unixSocketTransport } from './unix-socket/socket-transport.ts';
