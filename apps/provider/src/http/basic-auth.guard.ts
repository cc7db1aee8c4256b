import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuthenticatedApplication, parseBasicCredentials } from '../access-rules.ts';
import { Authenticator } from '../applications/authenticator.ts';
import { GuessingGuard } from './guessing-guard.ts';

type FoundApplication = NonNullable<Awaited<ReturnType<Authenticator['authenticate']>>>;

const authenticated = new WeakMap<FastifyRequest, FoundApplication>();

const servesPaused = Symbol('serves paused applications');

/** The method serves applications of a disabled realm too: it gives access to nothing. */
export const ServesPaused = (): MethodDecorator => SetMetadata(servesPaused, true);

/**
 * Rejects requests without valid credentials of an application with 401, and those of a paused one
 * with 403 (contract/access#disabled-realm).
 */
@Injectable()
export class BasicAuthGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly guessing: GuessingGuard,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const application = await this.requireApplication(request, reply);
    if (application.isPaused && !this.reflector.get(servesPaused, context.getHandler())) {
      throw new ForbiddenException({ message: 'The application is paused.' });
    }
    return true;
  }

  /**
   * Checks the credentials of a request whose body is being read.
   *
   * @throws {UnauthorizedException}
   */
  async checkCredentials(request: FastifyRequest, reply: FastifyReply): Promise<true> {
    await this.requireApplication(request, reply);
    return true;
  }

  private async requireApplication(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FoundApplication> {
    const known = authenticated.get(request);
    if (known) return known;
    const header = request.headers.authorization;
    const application = header ? await this.authenticate(header, request, reply) : null;
    if (application) {
      authenticated.set(request, application);
      return application;
    }
    void reply.header('www-authenticate', 'Basic realm="provider"');
    throw header
      ? new UnauthorizedException({ message: 'The application id or the secret key is wrong.' })
      : new UnauthorizedException({ error: 'Authorization Required.' });
  }

  private authenticate(
    header: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): ReturnType<Authenticator['authenticate']> {
    const credentials = parseBasicCredentials(header);
    if (!credentials) return Promise.resolve(null);
    const attempt = { mode: 'basic', credentials: header, account: credentials.appId } as const;
    return this.guessing.check(attempt, request, reply, () =>
      this.authenticator.authenticate(credentials),
    );
  }
}

/** The parameter is the application that the request is authenticated as. */
export const CurrentApplication = createParamDecorator(
  (_: unknown, context: ExecutionContext): AuthenticatedApplication => {
    const application = authenticated.get(context.switchToHttp().getRequest<FastifyRequest>());
    if (!application) throw new Error('the route is not protected by BasicAuthGuard');
    return application;
  },
);
