import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { Failure } from '@registrar/contracts';
import type { FastifyReply } from 'fastify';
import { type GatewaySettings, gatewaySettingsToken } from '../settings.ts';
import { ErrorResponder } from './error-responder.ts';

/** Responds to errors outside of the operations' routes: unknown paths, whatever their body is. */
@Catch()
export class GlobalExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorResponder,
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    this.errors.respond(reply.request.is404 ? this.unknownPath(reply) : error, reply, null);
  }

  private unknownPath({ request }: FastifyReply): Failure {
    const { API_ROOT: root } = this.settings;
    const place = request.url.startsWith(`${root}/`)
      ? ''
      : `: it is not below the API root, ${root}`;
    return new Failure('not-found', `there is no such path${place}`);
  }
}
