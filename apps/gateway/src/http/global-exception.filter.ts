import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { Failure } from '@registrar/contracts';
import type { FastifyReply } from 'fastify';
import { apiRoot } from './api-root.ts';
import { ErrorResponder } from './error-responder.ts';

/** Responds to errors outside of the operations' routes: unknown paths, whatever their body is. */
@Catch()
export class GlobalExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorResponder,
    @Inject(apiRoot) private readonly root: string,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    this.errors.respond(reply.request.is404 ? this.unknownPath(reply) : error, reply, null);
  }

  private unknownPath({ request }: FastifyReply): Failure {
    const isBelowRoot = request.url.startsWith(`${this.root}/`);
    const place = isBelowRoot ? '' : `: it is not below the API root, ${this.root}`;
    return new Failure('not-found', `there is no such path${place}`);
  }
}
