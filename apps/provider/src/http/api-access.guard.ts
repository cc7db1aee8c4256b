import type { BodyOwner } from '@registrar/bootstrap';
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
import type { FastifyRequest } from 'fastify';
import {
  type Credentials,
  parseAuthorization,
  type RememberedApplication,
} from '../access-rules.ts';
import { AccessTokens } from '../applications/access-tokens.ts';
import { type AcceptedApplication, Authenticator } from '../applications/authenticator.ts';
import { GuessingGuard } from './guessing-guard.ts';
import { grants, type ScopeResource, type Verb, verbOf } from './scopes.ts';

const authenticated = new WeakMap<FastifyRequest, AcceptedApplication>();

/** The applications of requests that no statement has authenticated yet. */
const recalled = new WeakMap<FastifyRequest, AcceptedApplication>();

const servesPaused = Symbol('serves paused applications');

/** Metadata of a method whose statements check the application themselves: `RecallsApplication`. */
export const recallsApplication = Symbol('recalls applications');

/** Metadata of a controller: its {@link ScopeResource}; null if tokens have no access, `any` if all have. */
export const scopeResource = Symbol('the resource of scopes');
const scopeVerb = Symbol('the verb of scopes');

/** Access tokens need the verb for the method, and not that of its HTTP method. */
export const RequiresScope = (verb: Verb): MethodDecorator => SetMetadata(scopeVerb, verb);

/** The method serves applications of a disabled realm too: it gives access to nothing. */
export const ServesPaused = (): MethodDecorator => SetMetadata(servesPaused, true);

/**
 * Rejects requests without valid credentials of an application with 401, and with 403 those of a paused one
 * (contract/access#disabled-realm), and those with an access token that lacks the scope.
 */
@Injectable()
export class ApiAccessGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly tokens: AccessTokens,
    private readonly guessing: GuessingGuard,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const mayRecall = this.reflector.get<true | undefined>(
      recallsApplication,
      context.getHandler(),
    );
    if (!(mayRecall && this.recall(context))) await this.authenticate(context);
    this.requireScope(context);
    return true;
  }

  /** Authenticates a request, unless that was done, by the row of its application as it is now. */
  async authenticate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const application = await this.requireApplication(request);
    if (!this.reflector.get(servesPaused, context.getHandler())) requireActive(application);
    return true;
  }

  /** Authenticates a request anew, after its application has changed. */
  authenticateAgain(context: ExecutionContext): Promise<true> {
    authenticated.delete(context.switchToHttp().getRequest<FastifyRequest>());
    return this.authenticate(context);
  }

  /** Returns whether the row that was read last accepts the request. Other guards refuse some requests with a query. */
  private recall(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.url.includes('?')) return false;
    const application = this.remembered(request);
    if (!application || application.isPaused) return false;
    recalled.set(request, application);
    return true;
  }

  /** @throws {ForbiddenException} if the access token of the request does not reach the method */
  private requireScope(context: ExecutionContext): void {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { scopes } = applicationOf(request);
    if (scopes === null) return;
    const resource = this.reflector.get<ScopeResource | 'any' | null>(
      scopeResource,
      context.getClass(),
    );
    if (resource === 'any') return;
    if (resource === null) {
      throw new ForbiddenException({
        message: 'This call needs the secret key of the application.',
      });
    }
    const verb =
      this.reflector.get<Verb | undefined>(scopeVerb, context.getHandler()) ??
      verbOf(request.method);
    if (grants(scopes, verb, resource)) return;
    throw new ForbiddenException({
      message: `The access token lacks the scope ${verb}:${resource}, or ${verb}.`,
    });
  }

  private remembered({ headers }: FastifyRequest): AcceptedApplication | null {
    const credentials = this.credentialsOf(headers.authorization ?? '');
    return credentials && this.authenticator.recall(credentials);
  }

  /** Returns what an `Authorization` header shows; null if it is malformed or its token is not valid. */
  private credentialsOf(header: string): Credentials | null {
    const parsed = parseAuthorization(header);
    return parsed && 'token' in parsed ? this.tokens.open(parsed.token) : parsed;
  }

  /**
   * Checks the credentials of a request before its body is read. The row that was read last is enough for that: the
   * guard checks the credentials again.
   *
   * @throws {UnauthorizedException}
   * @throws {ForbiddenException} for a paused application
   */
  async checkCredentials(request: FastifyRequest): Promise<BodyOwner> {
    const remembered = this.remembered(request);
    const isActive = remembered !== null && !remembered.isPaused;
    const application = isActive ? remembered : await this.requireApplication(request);
    requireActive(application);
    return { realmId: application.id, key: 'api' };
  }

  private async requireApplication(request: FastifyRequest): Promise<AcceptedApplication> {
    const known = authenticated.get(request);
    if (known) return known;
    const header = request.headers.authorization;
    if (!header) throw new UnauthorizedException('Authorization Required.');
    const credentials = this.credentialsOf(header);
    // A token cannot be guessed, and one that is refused was valid before.
    const application =
      credentials && 'secretKey' in credentials
        ? await this.guessing.check(
            { mode: 'basic', credentials: header, account: credentials.appId },
            request,
            () => this.authenticator.authenticate(credentials),
          )
        : credentials && (await this.authenticator.authenticate(credentials));
    if (!application) {
      const message = /^Bearer\b/i.test(header)
        ? 'The access token is not valid, or it has expired.'
        : 'The application id or the secret key is wrong.';
      throw new UnauthorizedException({ message });
    }
    authenticated.set(request, application);
    return application;
  }
}

/** @throws {ForbiddenException} */
function requireActive({ isPaused }: AcceptedApplication): void {
  if (isPaused) throw new ForbiddenException({ message: 'The application is paused.' });
}

/** The parameter is the application that the request is authenticated as. */
export const CurrentApplication = createParamDecorator(
  (_: unknown, context: ExecutionContext): RememberedApplication =>
    applicationOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function applicationOf(request: FastifyRequest): AcceptedApplication {
  const application = authenticated.get(request) ?? recalled.get(request);
  if (!application) throw new Error('the route is not protected by ApiAccessGuard');
  return application;
}
