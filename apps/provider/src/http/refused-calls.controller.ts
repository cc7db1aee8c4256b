import {
  All,
  applyDecorators,
  Controller,
  Delete,
  NotImplementedException,
  Post,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { ApiHostGuard } from '../origins/api-host.guard.ts';
import { ApiAccessGuard, scopeResource } from './api-access.guard.ts';
import { ApiExceptionFilter } from './api-exception-filter.ts';
import { type RefusedCall, refusedCalls } from './refused-calls.ts';

const routeOf = { all: All, POST: Post, DELETE: Delete } as const;

/** Creates a controller that refuses calls with 501 and their reason, whatever the scope of an access token. */
function createController({ method, paths, reason }: RefusedCall): Type {
  @Controller('api/v2')
  @SetMetadata(scopeResource, 'any')
  @UseGuards(ApiHostGuard, ApiAccessGuard)
  @UseFilters(ApiExceptionFilter)
  class RefusedCalls {
    @applyDecorators(routeOf[method]([...paths]))
    refuse(): never {
      throw new NotImplementedException({ message: reason });
    }
  }
  return RefusedCalls;
}

export const refusedCallControllers: Type[] = refusedCalls.map(createController);
