import { SeededRandom } from '@registrar/testing';
import { gzipSync } from 'node:zlib';
import {
  encodeForm,
  encodeJson,
  encodeMultipart,
  multipartType,
  percentEncode,
  type SentFile,
  type SentParameter,
} from './encoding.ts';
import { accessParameters, basicAccess, isRefused, pickAccess } from './accesses.ts';
import type { FuzzRealm } from './fuzz-realm.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { FuzzOperation, FuzzParameter } from './operations.ts';
import { validValue } from './valid-values.ts';
import { hostileClasses, type HostileValues, isHostileClass, type Value } from './values.ts';

/** Bytes of a value in a URL, all parameters of which must fit into 256 KiB, and in a body. */
const maxValueBytes = { query: 30_000, body: 4_200_000 };
const maxQueryBytes = 200_000;

/** The share of requests all of whose values are valid. */
const quietShare = 0.35;
/** Parameters of every operation, which are sent rarely. */
const generalParameters = [
  'fields',
  'template',
  'api_template',
  'callback',
  'Idempotency-Key',
  'more',
];

const formType = 'application/x-www-form-urlencoded';
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];
const strayPaths = [
  ...[
    '/',
    '/api',
    '/api/v2',
    '/api/v2/',
    '/api/v2/openapi.json',
    '/api/v2/none.json',
    '/health_check',
  ],
  ...['/api/v2/course', '/api/v2/course.pdf', '/api/v2/course..json', '/api/v2/course/a/b/c.json'],
  ...['/docs', '/metrics', '/health/live', '/.env', '/api/v2/%', '/api/v2/course/%ff.json', '//a'],
  ...[
    '/api/v2/registration/..%2f..%2fcourse.json',
    '/api/v1/course.json',
    '/play/',
    '/launch/',
    '/*',
  ],
];

/** Makes requests from a seed, a number and two realms: the same ones for the same. */
export class RequestGenerator {
  constructor(
    private readonly seed: number,
    private readonly operations: Readonly<Record<'gateway' | 'provider', readonly FuzzOperation[]>>,
    private readonly hostile: HostileValues,
    private readonly samplePackage: Buffer,
  ) {}

  make(index: number, realms: readonly [FuzzRealm, FuzzRealm]): FuzzRequest {
    const random = new SeededRandom(Math.imul(this.seed, 0x9e37_79b1) + index);
    const [own, other] = random.next() < 0.5 ? realms : [realms[1], realms[0]];
    const server = random.next() < 0.78 ? 'gateway' : 'provider';
    if (random.next() < 0.03) return this.#stray(index, server, own, random);
    const operation = random.pick(this.operations[server]);
    return new RequestBuilder(
      this.hostile,
      this.samplePackage,
      random,
      operation,
      this.operations[server],
      own,
      other,
    ).build(index);
  }

  /** A path or a method that no operation has, or another one of the server. */
  #stray(
    index: number,
    server: FuzzRequest['server'],
    realm: FuzzRealm,
    random: SeededRandom,
  ): FuzzRequest {
    const known = random.pick(this.operations[server]).path;
    const root = server === 'gateway' ? '/api/v2' : '';
    const path =
      random.next() < 0.6
        ? random.pick(strayPaths)
        : `${root}${known.replace(/\{\w+\}/g, 'x')}.json`;
    const statuses = server === 'gateway' ? strayStatuses : strayProviderStatuses;
    return {
      index,
      server,
      operation: null,
      path,
      realm,
      statuses,
      method: random.pick(methods),
      headers: ['X-Request-Id', `fuzz-${index}`],
      body: null,
      access: 'none',
      isRefused: false,
      covers: [],
    };
  }
}

/** Redirects and pages of the reference count too: the paths are chosen without regard to what they are. */
const strayStatuses = new Set([200, 204, 302, 303, 401, 404, 405, 406, 500, 501]);
const strayProviderStatuses = new Set([200, 204, 400, 401, 403, 404, 405, 410]);

/**
 * The operations that a request may reach: its own, those of the method that `_method` names
 * (contract/parameters#method-override), and with an empty id those of the collection.
 */
function reached(
  { method, path }: FuzzOperation,
  operations: readonly FuzzOperation[],
  filledPath: string,
  parameters: readonly PlacedParameter[],
): FuzzOperation[] {
  const overrides = parameters.filter(({ name }) => name === '_method');
  const reachedMethods = [method, ...overrides.map(({ value }) => value.toString().toUpperCase())];
  const paths = filledPath.endsWith('/') ? [path, path.replace(/\/\{\w+\}$/, '')] : [path];
  return operations.filter(
    (each) => reachedMethods.includes(each.method) && paths.includes(each.path),
  );
}

/** With JSONP, what the provider refuses has status 200 (contract/registrations#create-403-jsonp). */
function statusesOf(operations: readonly FuzzOperation[], sent: readonly PlacedParameter[]) {
  const statuses = new Set(operations.flatMap((operation) => [...operation.statuses]));
  if (statuses.has(403) && sent.some(({ name }) => name === 'callback')) statuses.add(200);
  return statuses;
}

/** A parameter and where its operation documents it. */
type PlacedParameter = SentParameter & { readonly place: FuzzParameter['in'] };

/** Chooses the parts of one request. */
class RequestBuilder {
  readonly #covers: string[] = [];
  /** The launch URL that the request opens. */
  #launch: URL | null = null;

  constructor(
    private readonly hostile: HostileValues,
    private readonly samplePackage: Buffer,
    private readonly random: SeededRandom,
    private readonly operation: FuzzOperation,
    private readonly operations: readonly FuzzOperation[],
    private readonly own: FuzzRealm,
    private readonly other: FuzzRealm,
  ) {}

  build(index: number): FuzzRequest {
    const { random, operation, own, other } = this;
    const isApi = operation.server === 'gateway';
    const access = pickAccess(operation, random);
    const hostility = random.next();
    const specific = operation.parameters.filter(({ name }) => !generalParameters.includes(name));
    const share = hostility < 0.8 ? 1.2 / Math.max(2, specific.length) : 0.5;
    const sent: PlacedParameter[] = [];
    for (const parameter of operation.parameters) {
      const isGeneral = !specific.includes(parameter);
      const rarer = isGeneral || parameter.in === 'path' ? share / 3 : share;
      const hostile = hostility >= quietShare && random.next() < rarer;
      const omitted = isGeneral ? 0.94 : 0.3;
      if (!hostile && !parameter.required && random.next() < omitted) continue;
      sent.push({ ...this.#parameter(parameter, hostile), place: parameter.in });
    }
    const named = sent.filter(({ place }) => place === 'query' || place === 'body');
    const parameters = this.#restructure(named, hostility > 0.5);
    const given = isApi ? accessParameters(access, operation, own, other, random) : [];
    const usesBody = operation.bodies.length > 0 && random.next() < 0.85;
    // The API takes all parameters from either place, the provider each from its own.
    const forBody = isApi ? parameters : parameters.filter(({ place }) => place === 'body');
    const inBody = usesBody ? [...forBody, ...(random.next() < 0.5 ? given : [])] : [];
    const inQuery = [
      ...(usesBody ? parameters.filter((each) => !forBody.includes(each)) : parameters),
      ...given.filter((each) => !inBody.includes(each)),
    ];
    const { headers, body } = this.#body(usesBody, inBody);
    const path = sent
      .filter(({ place }) => place === 'path')
      .reduce(
        (text, { name, value }) => text.replace(`{${name}}`, () => percentEncode(value)),
        operation.path,
      );
    const query = encodeForm(inQuery).slice(0, maxQueryBytes);
    const fields = sent.filter(({ place }) => place === 'header');
    return {
      index,
      server: operation.server,
      operation,
      method: operation.method,
      body,
      access,
      path: `${isApi ? `/api/v2${path}${this.#suffix()}` : path}${query && `?${query}`}`,
      headers: [
        ...(isApi ? [] : basicAccess(access, operation, own)),
        ...headers,
        ...fields.flatMap(({ name, value }) => headerField(name, value)),
        ...this.#extraHeaders(index),
      ],
      realm: own,
      isRefused: isRefused(access),
      statuses: statusesOf(reached(operation, this.operations, path, parameters), sent),
      covers: this.#covers,
    };
  }

  #parameter(parameter: FuzzParameter, hostile: boolean): SentParameter {
    const { random, operation, own, other, hostile: values } = this;
    const { name, isJson } = parameter;
    const of = (kind: string, value: Value): SentParameter => {
      this.#covers.push(`${name} ${kind}`);
      const isRaw =
        kind === 'number' || kind === 'json'
          ? random.next() < 0.5
          : isJson && !isHostileClass(kind);
      return { name, value, ...(isRaw && { isJson: true }) };
    };
    if (name === 'link' && !hostile) {
      const url = own.launchUrls.pop();
      this.#launch = url === undefined ? null : new URL(url);
      return of('valid', this.#launch?.pathname.split('/').at(-1) ?? 'none');
    }
    if (!hostile) return of('valid', validValue(operation, parameter, own, random));
    if (random.next() < 0.2) {
      return of('of another realm', validValue(operation, parameter, other, random));
    }
    const kind = random.pick(hostileClasses);
    const place = parameter.in === 'body' ? 'body' : 'query';
    const limit =
      parameter.in === 'path' || parameter.in === 'header' ? 2_000 : maxValueBytes[place];
    return of(kind, values.pick(kind, random, limit));
  }

  /** Repeats, contradicts, omits or adds parameters. */
  #restructure(parameters: readonly PlacedParameter[], hostile: boolean): PlacedParameter[] {
    const { random } = this;
    const result = [...parameters];
    if (!hostile || random.next() < 0.6) return result;
    const any =
      result.length > 0
        ? random.pick(result)
        : ({ name: 'id', value: '1', place: 'query' } as const);
    const add = (name: string, value: Value) => result.push({ ...any, name, value });
    const addMany = (name: string, count: number, value: string) => {
      for (let at = 0; at < count; at += 1) add(`${name}${at}`, value);
    };
    const changes: readonly (() => unknown)[] = [
      () => result.push(any),
      () => add(any.name, 'a different value'),
      () => result.splice(result.indexOf(any), 1),
      () => add('color', 'blue'),
      () => add(`${any.name}[]`, any.value),
      () => add(`${any.name}[a][b][]`, '1'),
      () => add('__proto__[x]', '1'),
      () => add('constructor', '1'),
      () => add('a'.repeat(random.pick([255, 256])), '1'),
      () => add(this.hostile.pick('unicode', random, 1_000).toString(), '1'),
      () => add('_method', random.pick(['put', 'DELETE', 'get', 'x'])),
      () => add('format', random.pick(['json', 'xml', 'csv', 'pdf', ''])),
      () => add('host_url', 'https://client.example'),
      () => addMany('n', random.pick([10, 10, 10, 999, 1_001]), '1'),
      () => addMany('title_re', random.pick([8, 9]), 'a{2}'),
      () => addMany('a[b][]', random.pick([10, 500]), '1'),
    ];
    random.pick(changes)();
    this.#covers.push('structure');
    return result;
  }

  #body(
    usesBody: boolean,
    parameters: readonly SentParameter[],
  ): { headers: string[]; body: Buffer | null } {
    const { random, operation } = this;
    if (!usesBody) return { headers: [], body: null };
    const type = random.pick(operation.bodies);
    const file = operation.takesFile && type === 'multipart/form-data' ? this.#file() : null;
    const encoded =
      type === formType
        ? Buffer.from(encodeForm(parameters))
        : type === 'application/json'
          ? encodeJson(parameters)
          : encodeMultipart(parameters, file);
    const named = type === 'multipart/form-data' ? multipartType : type;
    if (random.next() > 0.04) return { headers: ['Content-Type', named], body: encoded };
    this.#covers.push('malformed body');
    const malformed: readonly (() => { headers: string[]; body: Buffer })[] = [
      () => ({ headers: [], body: encoded }),
      () => ({ headers: ['Content-Type', 'text/plain'], body: encoded }),
      () => ({ headers: ['Content-Type', '\t;;'], body: encoded }),
      () => ({ headers: ['Content-Type', `${named}; charset=utf-16`], body: encoded }),
      () => ({
        headers: ['Content-Type', named, 'Content-Encoding', 'gzip'],
        body: gzipSync(encoded),
      }),
      () => ({ headers: ['Content-Type', named, 'Content-Encoding', 'gzip'], body: encoded }),
      () => ({ headers: ['Content-Type', named], body: encoded.subarray(0, encoded.length / 2) }),
      () => ({ headers: ['Content-Type', 'application/json'], body: Buffer.from('[1]') }),
      () => ({ headers: ['Content-Type', 'application/json'], body: Buffer.from('"a"') }),
      () => ({ headers: ['Content-Type', 'application/json'], body: Buffer.alloc(0) }),
      () => ({ headers: ['Content-Type', 'multipart/form-data'], body: encoded }),
      () => ({ headers: ['Content-Type', 'multipart/form-data; boundary='], body: encoded }),
      () => ({ headers: ['Content-Type', named], body: flipped(encoded, random) }),
      () => ({ headers: ['Content-Type', named, 'Content-Type', 'text/plain'], body: encoded }),
    ];
    return random.pick(malformed)();
  }

  #file(): SentFile | null {
    const { random, samplePackage } = this;
    const name = random.pick([
      'package.zip',
      '../../package.zip',
      '\u0000.zip',
      `${'a'.repeat(300)}.zip`,
    ]);
    const kinds: readonly (readonly [string, () => Buffer])[] = [
      ['valid', () => samplePackage],
      ['flipped', () => flipped(samplePackage, random)],
      ['truncated', () => samplePackage.subarray(0, random.integer(0, samplePackage.length))],
      ['no zip', () => Buffer.from('not a zip')],
      ['empty', () => Buffer.alloc(0)],
      ['doubled', () => Buffer.concat([samplePackage, samplePackage])],
    ];
    if (random.next() < 0.3) return null;
    const [kind, content] = random.pick(kinds);
    this.#covers.push(`file ${kind}`);
    return { name, content: content() };
  }

  #suffix(): string {
    const chance = this.random.next();
    if (chance < 0.85) return this.random.pick(['.json', '.xml', '.csv']);
    if (chance < 0.93) return '';
    return this.random.pick(['.pdf', '.', '.JSON', '.json/', '.json.xml', '.js%6fn', '/', '.%00']);
  }

  #extraHeaders(index: number): string[] {
    const { random, own, operation } = this;
    const id = ['X-Request-Id', `fuzz-${index}`];
    const isOfWindow = /^\/(?:play|content)\//.test(operation.path);
    const at = this.#launch?.host ?? (isOfWindow ? own.window.host : null);
    const host = at === null ? [] : ['Host', at];
    if (random.next() < 0.8) return [...host, ...id];
    this.#covers.push('headers');
    const more: readonly string[][] = [
      ['X-HTTP-Method-Override', 'DELETE'],
      ['Origin', random.pick(['https://evil.example', 'null', 'http://localhost:8080'])],
      [
        'Range',
        random.pick(['bytes=0-0', 'bytes=5-1', 'bytes=-', 'bytes=0-999999999999', 'bytes=0-1,2-3']),
      ],
      [
        'Accept',
        random.pick(['text/csv', 'application/xml;q=0.5', '*/*', ';;q=x', 'a/b,'.repeat(500)]),
      ],
      ['Accept-Encoding', 'gzip, br, deflate, identity;q=0'],
      ['traceparent', random.pick([`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, '00-x', '\u00ff'])],
      ['tracestate', 'a='.repeat(600)],
      ['baggage', `${'k=v,'.repeat(300)}a=b`],
      [
        'X-Forwarded-For',
        random.pick(['1.2.3.4', '::ffff:1.2.3.4', 'unknown', `${'1.1.1.1, '.repeat(200)}2.2.2.2`]),
      ],
      ['X-Forwarded-Host', 'evil.example'],
      ['Forwarded', 'for="[::1]";host=evil'],
      ['Cookie', `a=${'b'.repeat(4_000)}`],
      [
        'Authorization',
        random.pick([
          'Basic',
          'Basic ====',
          'Bearer x',
          'Basic OmE=',
          `Basic ${'A'.repeat(5_000)}`,
        ]),
      ],
      ['If-None-Match', '*'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Service-Worker', 'script'],
      ['Upgrade', 'websocket'],
      ['X-Request-Id', random.pick(['a b', 'x'.repeat(65), '\u00e9'])],
    ];
    const chosen = random.pick(more);
    const override = ['Authorization'].includes(chosen[0] ?? '') && operation.server === 'provider';
    return [...host, ...(chosen[0] === 'X-Request-Id' ? [] : id), ...(override ? [] : chosen)];
  }
}

const headerField = (name: string, value: Value): string[] => {
  const text = (typeof value === 'string' ? value : value.toString('latin1')).replaceAll(
    /[^\x20-\x7e\x80-\xff]/g,
    '',
  );
  return text === '' ? [] : [name, text];
};

/** Changes some bytes. */
function flipped(content: Buffer, random: SeededRandom): Buffer {
  const copy = Buffer.from(content);
  for (let at = 0; at < 8 && copy.length > 0; at += 1) {
    copy[random.integer(0, copy.length - 1)] = random.integer(0, 255);
  }
  return copy;
}
