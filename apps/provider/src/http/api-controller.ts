import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExceptionFilter } from './api-exception-filter.ts';
import { BasicAuthGuard } from './basic-auth.guard.ts';
import { QueryGuard } from './query-parameters.ts';

/** A controller of API version 2: it requires Basic authentication and answers JSON errors. */
export const ApiController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/v2/${path}`),
    UseGuards(BasicAuthGuard, QueryGuard),
    UseFilters(ApiExceptionFilter),
  );
