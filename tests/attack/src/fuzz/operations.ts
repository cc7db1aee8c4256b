import type { DocumentedOperation, Schema } from '@registrar/e2e/open-api-document';

/** A parameter that an operation documents. */
export interface FuzzParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body' | 'header';
  readonly values: readonly string[];
  readonly required: boolean;
  /** The valid value is JSON: a JSON body carries it unquoted. */
  readonly isJson: boolean;
}

/** One method of one path, of the API or of the course provider. */
export interface FuzzOperation {
  readonly server: 'gateway' | 'provider';
  /** `GET /course/{id}`. */
  readonly name: string;
  /** What its path and parameters are about: `course`. */
  readonly resource: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly FuzzParameter[];
  /** The statuses of its responses. */
  readonly statuses: ReadonlySet<number>;
  /** The media types of its body; empty without a body. */
  readonly bodies: readonly string[];
  readonly takesFile: boolean;
}

/** What any path of the API may respond beside the documented statuses (contract/errors#statuses). */
const apiStatuses = [404, 408];

/** Names of documented parameters whose values stand for any: nothing is sent under them. */
const placeholders = ['format', 'parameters'];

/** The operations of the API. */
export const apiOperations = (documented: readonly DocumentedOperation[]): FuzzOperation[] =>
  documented.map(({ method, path, parameters, bodies, responses }) => ({
    server: 'gateway',
    name: `${method} ${path.replace('.{format}', '')}`,
    resource: path.split(/[/.]/)[1] ?? '',
    method,
    path: path.replace('.{format}', ''),
    parameters: [
      ...parameters
        .filter(({ name }) => !placeholders.includes(name) && name !== 'file')
        .map(({ name, schema, example, required, in: place }) => ({
          name,
          in: place,
          values: valuesOf(schema, example),
          required: required === true,
          isJson: false,
        })),
      // The documents describe no JSONP.
      parameterOf('callback', 'query'),
      // The fixture's stored query has a parameter.
      ...(path.includes('run.') ? [parameterOf('course_guid', 'query')] : []),
    ],
    statuses: new Set([...Object.keys(responses).map(Number), ...apiStatuses]),
    bodies: Object.keys(bodies),
    takesFile: bodies['multipart/form-data']?.properties?.['file'] !== undefined,
  }));

const valuesOf = (schema: Schema, example: string | undefined): readonly string[] =>
  schema.enum ?? (schema.type === 'boolean' ? ['t', 'f'] : example === undefined ? [] : [example]);

/** What any path of the provider may respond. Internal errors are never expected. */
const providerStatuses = [304, 400, 401, 403, 404, 408, 409, 410, 413, 414, 415, 431, 503];

type Route = readonly [
  method: string,
  path: string,
  success: readonly number[],
  query?: readonly string[],
  body?: readonly string[],
];

const list = ['since', 'until', 'datetimeFilter', 'filter', 'filterBy', 'tags', 'orderBy', 'more'];
const counted = [...list, 'includeTotalCount'];
const details = ['includeChildResults', 'includeInteractionsAndObjectives', 'includeRuntime'];

/** The routes of our own course provider (apps/provider). */
const providerRoutes: readonly Route[] = [
  ['GET', '/api/v2/ping', [200]],
  [
    'GET',
    '/api/v2/courses',
    [200],
    [...counted, 'includeCourseMetadata', 'includeRegistrationCount'],
  ],
  [
    'GET',
    '/api/v2/courses/{courseId}',
    [200],
    ['includeRegistrationCount', 'includeCourseMetadata'],
  ],
  [
    'GET',
    '/api/v2/courses/{courseId}/versions',
    [200],
    ['since', 'until', 'includeRegistrationCount'],
  ],
  ['PUT', '/api/v2/courses/{courseId}/title', [204], [], ['title']],
  ['DELETE', '/api/v2/courses/{courseId}', [204]],
  // 429: too many packages of the application wait for their import (docs/operations.md, What clients may hold).
  ['POST', '/api/v2/courses/importJobs/upload', [200, 429], ['courseId', 'mayCreateNewVersion']],
  ['GET', '/api/v2/courses/importJobs/{jobId}', [200]],
  ['GET', '/api/v2/courses/{courseId}/tags', [200]],
  ['PUT', '/api/v2/courses/{courseId}/tags', [204], [], ['tags']],
  ['DELETE', '/api/v2/courses/{courseId}/tags', [204], [], ['tags']],
  [
    'POST',
    '/api/v2/registrations',
    [204],
    [],
    ['courseId', 'registrationId', 'learner', 'registrationTags'],
  ],
  ['GET', '/api/v2/registrations', [200], [...counted, 'courseId', 'learnerId', ...details]],
  ['HEAD', '/api/v2/registrations/{registrationId}', [200]],
  ['GET', '/api/v2/registrations/{registrationId}', [200], details],
  ['GET', '/api/v2/registrations/{registrationId}/instances', [200], details],
  ['DELETE', '/api/v2/registrations/{registrationId}/progress', [204]],
  ['DELETE', '/api/v2/registrations/{registrationId}', [204]],
  ['GET', '/api/v2/registrations/{registrationId}/launchHistory', [200]],
  ['DELETE', '/api/v2/registrations/{registrationId}/launches', [204]],
  [
    'POST',
    '/api/v2/registrations/{registrationId}/launchLink',
    [200],
    [],
    ['expiry', 'redirectOnExitUrl', 'tracking'],
  ],
  ['GET', '/api/v2/registrations/{registrationId}/tags', [200]],
  ['PUT', '/api/v2/registrations/{registrationId}/tags', [204], [], ['tags']],
  ['DELETE', '/api/v2/registrations/{registrationId}/tags', [204], [], ['tags']],
  ['GET', '/launch/{link}', [200, 303]],
  ['GET', '/player/{release}/{file}', [200]],
  ['GET', '/play/{token}/index.html', [200]],
  ['GET', '/play/{token}/course', [200]],
  ['POST', '/play/{token}/navigation', [200], [], ['command', 'target', 'current']],
  [
    'POST',
    '/play/{token}/reports',
    [200],
    [],
    ['activityId', 'sitting', 'sequence', 'seconds', 'runtime', 'ended', 'closing'],
  ],
  ['POST', '/play/{token}/exit', [200], [], []],
  ['GET', '/content/{contentRegistration}/{contentKey}/{path}', [200, 206, 416]],
];

const jsonMembers = [
  ...['learner', 'registrationTags', 'tags', 'expiry', 'tracking', 'sitting', 'sequence'],
  ...['seconds', 'runtime', 'ended', 'closing'],
];

/** The operations of the course provider. */
export const providerOperations: readonly FuzzOperation[] = providerRoutes.map(
  ([method, path, success, query = [], body]) => ({
    server: 'provider',
    name: `${method} ${path}`,
    resource: 'provider',
    method,
    path,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameterOf(name, 'path')),
      ...query.map((name) => parameterOf(name, 'query')),
      ...(body ?? []).map((name) => parameterOf(name, 'body')),
    ],
    statuses: new Set([...success, ...providerStatuses]),
    bodies: body ? ['application/json'] : path.endsWith('/upload') ? ['multipart/form-data'] : [],
    takesFile: path.endsWith('/upload'),
  }),
);

function parameterOf(name: string, place: FuzzParameter['in']): FuzzParameter {
  return {
    name,
    in: place,
    values: [],
    required: place !== 'query' || name === 'courseId',
    isJson: place === 'body' && jsonMembers.includes(name),
  };
}
