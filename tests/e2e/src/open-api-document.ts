import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Client } from '@registrar/conformance';

/** A JSON Schema (2020-12), as far as the suite reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly string[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly required?: boolean;
  /** A valid value, where one is documented. */
  readonly example?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (DocumentedParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; $ref?: string }>>;
}

/** One method of one path, with resolved references. */
export interface DocumentedOperation {
  readonly id: string;
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

/** Reads the OpenAPI document that a running system serves. */
export class OpenApiDocument {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  // No parameter property, because Node runs record-examples.ts and only strips types.
  private readonly root: Readonly<Record<string, unknown>>;

  private constructor(root: Readonly<Record<string, unknown>>) {
    this.root = root;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(root, 'document');
  }

  static async read(api: Client): Promise<OpenApiDocument> {
    const { text } = await api.get('/openapi.json', {});
    return new OpenApiDocument(JSON.parse(text) as Record<string, unknown>);
  }

  get operations(): DocumentedOperation[] {
    const paths = this.root['paths'] as Record<string, Record<string, RawOperation>>;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => this.#operation(path, method, raw)),
    );
  }

  /** Returns the violations of `schema` by `value`, or null. */
  fault(schema: Schema, value: unknown): string | null {
    const validate: ValidateFunction = this.#ajv.compile(rooted(schema));
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  /** Returns the alternatives of a schema with resolved references. */
  alternatives(schema: Schema): Schema[] {
    const resolved = this.resolve(schema);
    return (resolved.anyOf ?? [resolved]).map((each) => this.resolve(each));
  }

  resolve<T extends object>(part: T | { readonly $ref: string }): T {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
    const names = part.$ref.replace(/^#\//, '').split('/');
    const found = names.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown>)[name],
      this.root,
    );
    if (!found) throw new Error(`${part.$ref} is not in the document`);
    return found as T;
  }

  #operation(path: string, method: string, raw: RawOperation): DocumentedOperation {
    const content = raw.requestBody?.content ?? {};
    return {
      id: raw.operationId,
      method: method.toUpperCase() as Method,
      path,
      name: nameOf(method, path),
      parameters: [
        ...raw.parameters.map((parameter) => this.resolve<DocumentedParameter>(parameter)),
        ...bodyParameters(content['application/x-www-form-urlencoded']?.schema),
      ],
      bodies: Object.fromEntries(
        Object.entries(content).map(([type, { schema }]) => [type, schema]),
      ),
      responses: Object.fromEntries(
        Object.entries(raw.responses).map(([status, response]) => [
          status,
          this.resolve<{ content?: Content }>(response as { content?: Content }).content ?? {},
        ]),
      ),
    };
  }
}

/** Returns the properties of a form as parameters. */
const bodyParameters = ({ properties = {}, required = [] }: Schema = {}): DocumentedParameter[] =>
  Object.entries(properties).map(([name, schema]) => {
    const [example] = schema.examples ?? [];
    const isRequired = required.includes(name);
    return { name, in: 'body', required: isRequired, schema, ...(example && { example }) };
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

/** Returns the schema with references into the document. */
const rooted = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Schema;
