import type { OperationId } from './operation-table.ts';
import type { operations } from './schema.ts';

type Simplify<T> = { [Name in keyof T]: T[Name] } & {};

type PathOf<O> = O extends { parameters: { path: infer P } } ? P : unknown;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : unknown;
type JsonOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } }
  ? B
  : unknown;
/** OpenAPI describes a file as text. */
type FormOf<O> = O extends { requestBody?: { content: { 'multipart/form-data': infer B } } }
  ? Omit<B, 'file'> & { file?: Blob }
  : unknown;

/** The parameters of an operation by name, wherever the request carries them. */
export type Parameters<Id extends OperationId> = Simplify<
  PathOf<operations[Id]> & QueryOf<operations[Id]> & JsonOf<operations[Id]> & FormOf<operations[Id]>
>;

type ContentOf<R> = R extends { content: { 'application/json': infer C } } ? C : never;

/** The record or the list of records that an operation returns. */
export type Result<Id extends OperationId> = operations[Id]['responses'] extends infer R
  ? { [Status in keyof R]: Status extends 200 | 201 ? ContentOf<R[Status]> : never }[keyof R]
  : never;
