import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { ApiHostGuard } from '../origins/api-host.guard.ts';
import { ApiExceptionFilter } from './api-exception-filter.ts';
import { BasicAuthGuard } from './basic-auth.guard.ts';
import { QueryGuard } from './query-parameters.ts';

/**
 * A controller of API version 2: it requires Basic authentication, answers JSON errors and is not
 * served to course content.
 */
export const ApiController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/v2/${path}`),
    UseGuards(ApiHostGuard, BasicAuthGuard, QueryGuard),
    UseFilters(ApiExceptionFilter),
  );
