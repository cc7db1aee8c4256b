import type { AccessScope } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { accessParameters } from '../access/access-mode.ts';
import { asksForPart } from '../lists/paging.ts';
import type { Operation } from '../operations/operation.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { ResponseFormat } from '../responses/response-format.ts';
import { CatalogVersions, coursesOf, type VersionedRecords } from './catalog-versions.ts';
import { type CachePlace, VersionedCache } from './versioned-cache.ts';

/** Parameters that do not change the response: `_` makes URLs differ (contract/parameters#general-parameters). */
const ignoredParameters: readonly string[] = [...accessParameters, '_'];

/** A response that is not sent page by page. */
export interface WholeResponse {
  readonly body: string;
  /** The number of records that it shows. */
  readonly rows: number;
  /** The entity tag of responses that a client may ask for again (contract/errors#etag). */
  readonly etag?: string;
}

/** What a response depends on. */
export interface CacheableRequest {
  readonly operation: Operation;
  readonly scope: AccessScope;
  readonly path: Readonly<Record<string, string>>;
  readonly responseFormat: ResponseFormat;
  readonly given: RequestParameters;
}

/** Keeps whole responses that show nothing but courses or templates. */
@Injectable()
export class ResponseCache {
  readonly #cache: VersionedCache<WholeResponse>;

  constructor(versions: CatalogVersions) {
    this.#cache = new VersionedCache(versions, ({ body }) => Buffer.byteLength(body));
  }

  /** The place of the response to a request; null if responses to such requests are not kept. */
  async find(request: CacheableRequest): Promise<CachePlace<WholeResponse> | null> {
    const records = recordsOf(request);
    if (!records) return null;
    const { operation, scope, path, responseFormat, given } = request;
    const parameters = [...given].filter(([name]) => !ignoredParameters.includes(name));
    const { format, callback } = responseFormat;
    const parts = [operation.name, scope.applicationIds, path, format, callback, parameters];
    return this.#cache.find(scope.realmId, parts, records);
  }
}

/** The records that a response shows; null if it may show others too. */
function recordsOf({
  operation: { showsOnly },
  scope,
  given,
}: CacheableRequest): VersionedRecords[] | null {
  // Clients read a page of a list once, and a kept response has no headers of its own.
  if (asksForPart(given)) return null;
  // A user-bound key also sees registrations.
  if (scope.user !== null) return null;
  if (showsOnly === 'courses') return coursesOf(scope);
  return showsOnly === 'templates' ? [{ kind: showsOnly, ownerId: scope.realmId }] : null;
}
