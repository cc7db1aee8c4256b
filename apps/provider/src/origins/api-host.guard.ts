import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unknownPathMessage } from '../http/api-exception-filter.ts';
import { ContentOrigins } from './content-origins.ts';

/** The values of Sec-Fetch-Site (Fetch Metadata) of requests that a page of another origin caused. */
const foreignSites: readonly unknown[] = ['cross-site', 'same-site'];

/**
 * Keeps the API away from course content. On content hosts its paths do not exist. Requests of pages
 * of other origins are rejected before they could be authenticated, because a browser adds
 * credentials that its user once entered.
 */
@Injectable()
export class ApiHostGuard implements CanActivate {
  constructor(@Inject(ContentOrigins) private readonly origins: ContentOrigins) {}

  canActivate(context: ExecutionContext): true {
    return this.check(context.switchToHttp().getRequest<FastifyRequest>());
  }

  /** @throws {HttpException} */
  check({ headers }: FastifyRequest): true {
    if (this.origins.parse(headers.host) !== 'api') {
      throw new NotFoundException({ message: unknownPathMessage });
    }
    if (foreignSites.includes(headers['sec-fetch-site'])) {
      throw new ForbiddenException({ message: 'Pages of other origins cannot use the API.' });
    }
    return true;
  }
}
