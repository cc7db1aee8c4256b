import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { ApiErrors } from './api-errors.ts';
import { BasicAuth } from './basic-auth.ts';

/** A controller of the version 2 API: for authenticated applications, with its error bodies. */
export const ApiController = (path: string): ClassDecorator =>
  applyDecorators(Controller(`api/v2/${path}`), UseGuards(BasicAuth), UseFilters(ApiErrors));
