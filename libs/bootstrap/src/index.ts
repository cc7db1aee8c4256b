export { AddressRates } from './address-rates.ts';
export * from './app-processes.ts';
export { clientAddress, clientNetwork, largestNetwork } from './client-network.ts';
export { DisconnectLog, isDisconnected } from './disconnect-log.ts';
export {
  type AnswerDelay,
  failedAccesses,
  FailedAccesses,
  type FailedAccessLimits,
} from './failed-access.ts';
export * from './health.ts';
export * from './http-limits.ts';
export { fastifyOptions, type HttpServerOptions } from './http-server.ts';
export * from './management-server.ts';
export * from './on-app-start.ts';
export { OverLimitLog } from './over-limit-log.ts';
export * from './periodic-tasks.ts';
export * from './run-process.ts';
export * from './run-distributed-app.ts';
export type { SchemaMigrated } from './run-schema-task.ts';
export * from './start-app.ts';
export type { UnfinishedBody } from './bodies/watch-bodies.ts';
export { type FormFields, maxFields, parseForm } from './bodies/form-fields.ts';
export { jsonFault } from './bodies/json-fault.ts';
export { MultipartForm } from './bodies/multipart-form.ts';
export { packagePieces } from './bodies/package-pieces.ts';
export type { BodyOwner } from './bodies/parse-turns.ts';
export { type CheckAccess, UnreadableBody } from './bodies/read-bodies.ts';
export * from './require-https.ts';
export { endSlowReading, minResponseDataRate } from './slow-reader.ts';
