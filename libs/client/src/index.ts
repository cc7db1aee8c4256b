export type { Access } from './access.ts';
export { createClient, type ClientOptions, type RegistrarClient } from './client.ts';
export type { RequestOptions } from './send.ts';
export { RegistrarError } from './registrar-error.ts';
export type { Parameters, Result } from './operation-types.ts';
export type { components } from './schema.ts';
