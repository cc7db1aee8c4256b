import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import { Authenticate } from '../applications/authenticate.ts';

const authenticated = new WeakMap<FastifyRequest, Application>();

/** Lets only requests with an application's credentials in. */
@Injectable()
export class BasicAuth implements CanActivate {
  constructor(private readonly authenticate: Authenticate) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const header = request.headers.authorization;
    const application = header ? await this.authenticate.run(header) : null;
    if (application) {
      authenticated.set(request, application);
      return true;
    }
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    void reply.header('www-authenticate', 'Basic realm="provider"');
    throw header
      ? new UnauthorizedException({ message: 'The application id or the secret key is wrong.' })
      : new UnauthorizedException({ error: 'Authorization Required.' });
  }
}

/** The application that a request authenticated as. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Application => {
  const application = authenticated.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!application) throw new Error('this route is not behind BasicAuth');
  return application;
});
