import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ErrorResponder } from './error-responder.ts';

/** Responds to errors outside the request pipeline: unknown paths and unparseable bodies. */
@Catch()
export class GlobalExceptionFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorResponder) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.errors.respond(error, host.switchToHttp().getResponse<FastifyReply>(), null);
  }
}
