import { applyDecorators, Controller, SetMetadata, UseFilters, UseGuards } from '@nestjs/common';
import { ApiHostGuard } from '../origins/api-host.guard.ts';
import { ApiExceptionFilter } from './api-exception-filter.ts';
import { ApiAccessGuard, scopeResource } from './api-access.guard.ts';
import { QueryGuard } from './query-parameters.ts';
import { resourceOf } from './scopes.ts';

/**
 * A controller of API version 2: it requires the credentials of an application, or an access token with the
 * scope of its path, answers JSON errors and is not served to course content.
 */
export const ApiController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/v2/${path}`),
    SetMetadata(scopeResource, resourceOf(path)),
    UseGuards(ApiHostGuard, ApiAccessGuard, QueryGuard),
    UseFilters(ApiExceptionFilter),
  );
