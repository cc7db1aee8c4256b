import { BusClient } from '@registrar/bus';
import { type AccessScope, type EmailAddress, ensureUser } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** How many users are remembered, and for how long: milliseconds. */
const maxUsers = 10_000;
const rememberedMs = 600_000;

/**
 * Finds the users of learners in identity, which creates those that are missing, and remembers them. Nothing
 * invalidates them: a user of a realm is never removed, and keeps its id. The time is for a database of
 * identity that is restored to an earlier state.
 */
@Injectable()
export class LearnerUsers {
  /** The ids by realm and address. */
  readonly #users = new LRUCache<string, number>({ max: maxUsers, ttl: rememberedMs });

  constructor(private readonly bus: BusClient) {}

  /** @param learnerId the scope's own user, if it has one */
  async idOf({ realmId, user }: AccessScope, learnerId: EmailAddress): Promise<number> {
    if (user) return user.id;
    const key = `${realmId} ${learnerId.toLowerCase()}`;
    const known = this.#users.get(key);
    if (known !== undefined) return known;
    const { userId } = await this.bus.request(ensureUser, { realmId, email: learnerId });
    this.#users.set(key, userId);
    return userId;
  }
}
