import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Client } from '@registrar/conformance';

/** A JSON Schema (2020-12), as far as the suite reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly format?: string;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly required?: boolean;
  /** A valid value as text, where one is documented. */
  readonly example?: string;
  readonly schema: Schema;
}

type RawParameter = Omit<DocumentedParameter, 'example'> & { readonly example?: unknown };

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface RawOperation {
  readonly operationId: string;
  readonly 'x-alias-of'?: string;
  readonly 'x-codeSamples'?: readonly CodeSample[];
  readonly parameters: readonly (RawParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; $ref?: string }>>;
}

/** A program that calls an operation. */
export interface CodeSample {
  readonly label: string;
  readonly source: string;
}

/** One method of one path, with resolved references, in all formats. */
export interface DocumentedOperation {
  readonly id: string;
  /** The operation that this one repeats for existing clients; null for all others. */
  readonly aliasOf: string | null;
  readonly samples: readonly CodeSample[];
  readonly method: Method;
  /** The path with `{format}` and, where it names an item, its path parameter. */
  readonly path: string;
  /** Resource and action: `course index`. */
  readonly name: string;
  /** The parameters, those of the body included. */
  readonly parameters: readonly DocumentedParameter[];
  /** The body's properties by media type; empty without a body. */
  readonly bodies: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Content>>;
}

type Root = Readonly<Record<string, unknown>>;

/** The documents of the formats, that of JSON first. */
const documents = ['/openapi.json', '/openapi-xml.json', '/openapi-csv.json'];

/** Reads the OpenAPI documents that a running system serves. */
export class OpenApiDocument {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  // No parameter property, because Node runs record-examples.ts and only strips types.
  private readonly root: Root;
  private readonly others: readonly Root[];

  private constructor(root: Root, others: readonly Root[]) {
    this.root = root;
    this.others = others;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(root, 'document');
    this.#ajv.addSchema(closed(root, true), 'complete');
    this.#ajv.addSchema(closed(root, false), 'limited');
  }

  static async read(api: Client): Promise<OpenApiDocument> {
    const [root, ...others] = await Promise.all(
      documents.map(async (path) => JSON.parse((await api.get(path, {})).text) as Root),
    );
    return new OpenApiDocument(root!, others);
  }

  get operations(): DocumentedOperation[] {
    return operationsOf(this.root).map(([path, method, raw]) =>
      this.#operation(path.replace(/\.json$/, '.{format}'), method, raw),
    );
  }

  /** Returns the violations of `schema` by `value`, or null. */
  fault(schema: Schema, value: unknown): string | null {
    return this.#fault(rooted(schema, 'document'), value);
  }

  /**
   * Returns the violations of `schema` by a response, or null. Fields that the document does not list are
   * violations, which clients ignore.
   *
   * @param isLimited parameters of the request leave fields out
   */
  responseFault(schema: Schema, value: unknown, isLimited: boolean): string | null {
    return this.#fault(rooted(schema, isLimited ? 'limited' : 'complete'), value);
  }

  #fault(schema: Schema, value: unknown): string | null {
    const validate: ValidateFunction = this.#ajv.compile(schema);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  resolve<T extends object>(part: T | { readonly $ref: string }): T {
    return resolvedIn(this.root, part);
  }

  #operation(path: string, method: string, raw: RawOperation): DocumentedOperation {
    const content = raw.requestBody?.content ?? {};
    const form = content['application/x-www-form-urlencoded'] ?? content['multipart/form-data'];
    return {
      id: raw.operationId,
      aliasOf: raw['x-alias-of'] ?? null,
      samples: raw['x-codeSamples'] ?? [],
      method: method.toUpperCase() as Method,
      path,
      name: nameOf(method, path),
      parameters: [
        ...raw.parameters.map((parameter) => {
          const { example, ...rest } = this.resolve<RawParameter>(parameter);
          const text = example === undefined || typeof example === 'object' ? {} : { example };
          return { ...rest, ...withText(text) };
        }),
        ...bodyParameters(form?.schema),
      ],
      bodies: Object.fromEntries(
        Object.entries(content).map(([type, { schema }]) => [type, schema]),
      ),
      responses: this.#responses(raw),
    };
  }

  /** The responses of an operation in all formats. */
  #responses({ operationId, responses }: RawOperation): DocumentedOperation['responses'] {
    const ofOthers = this.others.flatMap((root) =>
      operationsOf(root).flatMap(([, , raw]) =>
        raw.operationId === operationId ? [{ root, responses: raw.responses }] : [],
      ),
    );
    return Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        Object.assign(
          {},
          contentIn(this.root, response),
          ...ofOthers.map((other) => contentIn(other.root, other.responses[status] ?? {})),
        ) as Content,
      ]),
    );
  }
}

const operationsOf = (root: Root): (readonly [path: string, method: string, RawOperation])[] =>
  Object.entries(root['paths'] as Record<string, Record<string, RawOperation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => [path, method, raw] as const),
  );

/** Returns the part of a document that a reference names. */
function resolvedIn<T extends object>(root: Root, part: T | { readonly $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const names = part.$ref.replace(/^#\//, '').split('/');
  const found = names.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown>)[name],
    root,
  );
  if (!found) throw new Error(`${part.$ref} is not in the document`);
  return found as T;
}

const contentIn = (root: Root, response: object): Content =>
  resolvedIn<{ content?: Content }>(root, response).content ?? {};

const withText = ({ example }: { readonly example?: unknown }) =>
  example === undefined
    ? {}
    : { example: typeof example === 'string' ? example : JSON.stringify(example) };

/** Returns the properties of a form as parameters, without a file. */
const bodyParameters = ({ properties = {}, required = [] }: Schema = {}): DocumentedParameter[] =>
  Object.entries(properties)
    .filter(([, { format }]) => format !== 'binary')
    .map(([name, schema]) => {
      const [example] = schema.examples ?? [];
      const isRequired = required.includes(name);
      return { name, in: 'body', required: isRequired, schema, ...withText({ example }) };
    });

/** Returns the contract's name of an operation (contract/formats#operations). */
function nameOf(method: string, path: string): string {
  const [resource = '', ...parts] = path.replace('.{format}', '').split('/').slice(1);
  const words = parts.filter((part) => !part.startsWith('{'));
  const [word] = words;
  if (method === 'delete') return `${resource} delete`;
  if (word === 'gcreate' || word === 'create') return `${resource} create`;
  if (word === 'gupdate' || method === 'put') return `${resource} update`;
  if (word) return `${resource} ${word}`;
  if (method === 'get') return `${resource} ${parts.length > 0 ? 'show' : 'index'}`;
  return parts.length > 0 ? `${resource} update` : `${resource} create`;
}

/** Returns the schema with references into one of the documents of the validator. */
const rooted = (schema: Schema, document: string): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${document}#/`)) as Schema;

/** Returns the document with records that have no other fields, and with or without required ones. */
function closed(root: Root, requires: boolean): Root {
  const text = JSON.stringify(root, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
    const { required, ...schema } = value as Schema;
    return { ...schema, ...(requires && { required }), additionalProperties: false };
  });
  return JSON.parse(text) as Root;
}
