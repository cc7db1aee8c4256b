import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Refusals } from './refusals.ts';

/** Requests that reach no operation: unknown paths, and bodies that cannot be read. */
@Catch()
export class EmptyRefusals implements ExceptionFilter {
  constructor(private readonly refusals: Refusals) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.refusals.answer(error, host.switchToHttp().getResponse<FastifyReply>(), null);
  }
}
