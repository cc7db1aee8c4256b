import {
  BadRequestException,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  Query,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The methods of controllers that parse the query of their requests. */
const parsingHandlers = new WeakSet<object>();

/** The parameter is the query of the request, parsed by the pipe, which refuses unknown names. */
export const QueryParameters =
  (pipe: PipeTransform): ParameterDecorator =>
  (target, name, index) => {
    const method: unknown = name !== undefined && Reflect.get(target, name);
    if (typeof method !== 'function') throw new Error('QueryParameters decorates methods');
    parsingHandlers.add(method);
    Query(pipe)(target, name, index);
  };

/** Refuses parameters on routes without {@link QueryParameters}: they would be ignored. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (parsingHandlers.has(context.getHandler())) return true;
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    const [name] = Object.keys(query as object);
    if (name !== undefined) throw new BadRequestException(`${name}: is not supported`);
    return true;
  }
}
