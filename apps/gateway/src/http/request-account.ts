import type { AccessScope } from '@registrar/contracts';
import { accountOf } from '@registrar/platform';
import type { FastifyReply } from 'fastify';

const accounts = new WeakMap<FastifyReply, string>();

/** Remembers whose access a request has, for the line of a refusal. */
export function noteAccount(reply: FastifyReply, scope: AccessScope): void {
  const [realm, key] = [accountOf.realm(scope), accountOf.key(scope)];
  accounts.set(reply, key === null || scope.user ? (key ?? realm) : `${key} of ${realm}`);
}

/** Whose access a request has; undefined before it is known. */
export const notedAccount = (reply: FastifyReply): string | undefined => accounts.get(reply);
