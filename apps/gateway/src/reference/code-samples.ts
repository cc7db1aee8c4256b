import type { Method } from '../operations/operation.ts';
import type { JsonSchema } from './record-schema.ts';

/** The access mode of a sample, in the `Authorization` header. */
type Access = 'api_key' | 'realm';

/** The operation that the samples call. */
interface SampledOperation {
  readonly method: Method;
  /** The path with its suffix: `/course/{id}.json`. */
  readonly path: string;
  readonly access: Access;
  /** The documented parameters outside of the body, whose examples are sent. */
  readonly parameters: readonly JsonSchema[];
  /** The documented body, whose example is sent. */
  readonly body: JsonSchema | null;
  /** The response is no JSON. */
  readonly isText: boolean;
}

/** A request in the parts that every language needs. `$NAME` in a path stands for a variable of the reader's. */
interface SampledRequest {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly query: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** The fields of a multipart form, beside the file. */
  readonly form: Readonly<Record<string, string>> | null;
  readonly isText: boolean;
}

/**
 * The samples of an operation, as `x-codeSamples` lists them. Their variables are `API`, the address of the API
 * root, `KEY` or `REALM_GUID` and `REALM_SECRET_KEY`, and `REGISTRATION_GUID`. They upload
 * `course.zip`.
 */
export function codeSamples(operation: SampledOperation): JsonSchema[] {
  const request = sampledRequest(operation);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(request) },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScriptSample(request) },
    { lang: 'PHP', label: 'PHP', source: phpSample(request) },
    { lang: 'Python', label: 'Python', source: pythonSample(request) },
  ];
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly deprecated?: boolean;
  readonly example?: unknown;
}

function sampledRequest(operation: SampledOperation): SampledRequest {
  const { method, body, isText } = operation;
  const documented = operation.parameters.filter(
    (each): each is JsonSchema & DocumentedParameter => 'name' in each,
  );
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = documented.find((each) => each.name === name)?.example;
    // Only the system that generates a GUID knows it.
    return example === undefined ? '$REGISTRATION_GUID' : encoded(example);
  });
  const sent = documented.filter(
    ({ in: place, example, deprecated }) =>
      place === 'query' && example !== undefined && typeof example !== 'object' && !deprecated,
  );
  const content = body?.['content'] as Record<string, { example?: unknown; schema: JsonSchema }>;
  const multipart = content?.['multipart/form-data'];
  return {
    method,
    path,
    access: operation.access,
    query: Object.fromEntries(sent.map(({ name, example }) => [name, String(example)])),
    json: content?.['application/json']?.example,
    form: multipart ? formExample(multipart.schema) : null,
    isText,
  };
}

const encoded = (value: unknown) => encodeURIComponent(String(value));

const formExample = (schema: JsonSchema) =>
  Object.fromEntries(
    Object.entries(schema['properties'] as Record<string, { examples?: unknown[] }>).flatMap(
      ([name, { examples }]) => (examples ? [[name, String(examples[0])]] : []),
    ),
  );

function curlSample({ method, path, access, query, json, form }: SampledRequest): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  const address = parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
  const isImplied = method === 'GET' || (method === 'POST' && (json ?? form) != null);
  const parts = [
    `curl -s ${isImplied ? '' : `-X ${method} `}"$API${address}"`,
    access === 'realm' ? '-u "$REALM_GUID:$REALM_SECRET_KEY"' : '-H "Authorization: Bearer $KEY"',
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellText(JSON.stringify(json))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${shellText(`${name}=${value}`)}`),
    ...(form ? ['-F file=@course.zip'] : []),
  ];
  return parts.join(' \\\n  ');
}

const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function javaScriptSample(request: SampledRequest): string {
  const { method, path, access, query, json, form, isText } = request;
  const credentials =
    access === 'realm' ? 'Basic ${btoa(`${REALM_GUID}:${REALM_SECRET_KEY}`)}' : 'Bearer ${KEY}';
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`${credentials}\`,`,
    ...(json === undefined ? [] : [`    'Content-Type': 'application/json',`]),
    '  },',
    ...(json === undefined ? [] : [`  body: JSON.stringify(${literal(json, javaScript, '  ')}),`]),
    ...(form ? ['  body: form,'] : []),
  ];
  const hasQuery = Object.keys(query).length > 0;
  const address = `\${API}${path.replace(/\$(\w+)/g, '${$1}')}${hasQuery ? '?${query}' : ''}`;
  return [
    ...(form
      ? [
          `import { openAsBlob } from 'node:fs';`,
          '',
          'const form = new FormData();',
          ...Object.entries(form).map(
            ([name, value]) => `form.set('${name}', ${javaScript.text(value)});`,
          ),
          `form.set('file', await openAsBlob('course.zip'), 'course.zip');`,
        ]
      : []),
    ...(hasQuery ? [`const query = new URLSearchParams(${literal(query, javaScript)});`] : []),
    `const response = await fetch(\`${address}\`, {\n${options.join('\n')}\n});`,
    'if (!response.ok) throw new Error(`status ${response.status}`);',
    `console.log(await response.${isText ? 'text' : 'json'}());`,
  ].join('\n');
}

function phpSample({ method, path, access, query, json, form, isText }: SampledRequest): string {
  const fields = Object.entries(form ?? {}).map(
    ([name, value]) => `        '${name}' => ${php.text(value)},`,
  );
  const headers = [
    ...(access === 'realm' ? [] : ['"Authorization: Bearer $KEY"']),
    ...(json === undefined ? [] : [`'Content-Type: application/json'`]),
  ];
  const options = [
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_FAILONERROR => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(access === 'realm' ? ['    CURLOPT_USERPWD => "$REALM_GUID:$REALM_SECRET_KEY",'] : []),
    ...(headers.length > 0 ? [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`] : []),
    ...(json === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literal(json, php, '    ')}),`]),
    ...(form
      ? [
          '    CURLOPT_POSTFIELDS => [',
          ...fields,
          `        'file' => new CURLFile('course.zip'),`,
          '    ],',
        ]
      : []),
  ];
  const hasQuery = Object.keys(query).length > 0;
  return [
    '<?php',
    ...(hasQuery ? [`$query = http_build_query(${literal(query, php)});`] : []),
    `$request = curl_init("$API${path}${hasQuery ? '?$query' : ''}");`,
    `curl_setopt_array($request, [\n${options.join('\n')}\n]);`,
    '$answer = curl_exec($request);',
    'if ($answer === false) throw new Exception(curl_error($request));',
    isText ? 'echo $answer;' : 'print_r(json_decode($answer, true));',
  ].join('\n');
}

function pythonSample({ method, path, access, query, json, form, isText }: SampledRequest): string {
  const parts = [
    `    f'{API}${path.replace(/\$(\w+)/g, '{$1}')}',`,
    access === 'realm'
      ? '    auth=(REALM_GUID, REALM_SECRET_KEY),'
      : `    headers={'Authorization': f'Bearer {KEY}'},`,
    ...(Object.keys(query).length > 0 ? [`    params=${literal(query, python, '    ')},`] : []),
    ...(json === undefined ? [] : [`    json=${literal(json, python, '    ')},`]),
    ...(form
      ? [
          `    data=${literal(form, python, '    ')},`,
          `    files={'file': open('course.zip', 'rb')},`,
        ]
      : []),
    '    timeout=30,',
  ];
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n${parts.join('\n')}\n)`,
    'response.raise_for_status()',
    `print(response.${isText ? 'text' : 'json()'})`,
  ].join('\n');
}

/** How a language writes values. */
interface Language {
  readonly text: (value: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly object: readonly [open: string, close: string, empty: string];
  readonly member: (name: string, value: string) => string;
  readonly indent: string;
  /** Braces have spaces inside. */
  readonly isSpaced: boolean;
}

const quoted = (value: string) => `'${value.replace(/['\\]/g, '\\$&')}'`;

const javaScript: Language = {
  text: quoted,
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['{', '}', '{}'],
  member: (name, value) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${value}`,
  indent: '  ',
  isSpaced: true,
};

const php: Language = {
  text: quoted,
  words: javaScript.words,
  object: ['[', ']', 'new stdClass()'],
  member: (name, value) => `${quoted(name)} => ${value}`,
  indent: '    ',
  isSpaced: false,
};

const python: Language = {
  text: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
  object: ['{', '}', '{}'],
  member: (name, value) => `${quoted(name)}: ${value}`,
  indent: '    ',
  isSpaced: false,
};

/** Writes a JSON value as a literal of a language, in one line if it is short. */
function literal(value: unknown, language: Language, indent = ''): string {
  if (typeof value === 'string') return language.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) {
    return language.words[String(value) as 'true' | 'false' | 'null'];
  }
  const inner = indent + language.indent;
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((each) => literal(each, language, inner))
    : Object.entries(value).map(([name, each]) =>
        language.member(name, literal(each, language, inner)),
      );
  const [open, close, empty] = isArray ? (['[', ']', '[]'] as const) : language.object;
  if (parts.length === 0) return empty;
  const space = !isArray && language.isSpaced ? ' ' : '';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${indent}${close}`;
}
