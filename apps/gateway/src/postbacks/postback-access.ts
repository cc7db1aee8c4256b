import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BusClient } from '@registrar/bus';
import { Failure, findPostbackAccess, postbackUserName } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GuessingGuard } from '../admission/guessing-guard.ts';

/** How long the hash of an application's secret is cached, and of how many applications. */
const cacheTtlMs = 30_000;
const maxCached = 10_000;

/** The shortest time between two lookups for one application, which a wrong secret causes. */
const lookupIntervalMs = 1_000;

/** How many lookups may be under way. */
const maxLookups = 32;

/** Compared with for an application that does not exist, so that the time is the same. */
const placeholderHash = randomBytes(32);

/** The credentials of a postback, not yet verified. */
export interface PostbackCredentials {
  readonly userName: string;
  readonly password: string;
}

const sha256 = (text: string) => hash('sha256', text, 'buffer');

/** Checks the credentials of postbacks against the secret of their provider application. */
@Injectable()
export class PostbackAccess {
  /** The SHA-256 of secrets, by application. */
  readonly #hashes = new LRUCache<number, Buffer>({
    max: maxCached,
    ttl: cacheTtlMs,
    fetchMethod: (applicationId) => this.#request(applicationId),
    // One that cannot be looked up again is used until its time has passed.
    noDeleteOnFetchRejection: true,
  });
  #lookupsUnderWay = 0;

  constructor(
    private readonly bus: BusClient,
    private readonly guessing: GuessingGuard,
  ) {}

  /**
   * @throws {Failure} `unauthenticated` for wrong credentials, an unknown application, and one of a
   * disabled realm; as a `DelayedRefusal` if the answer is to be delayed
   */
  async require(applicationId: number, credentials: PostbackCredentials): Promise<void> {
    const { userName, password } = credentials;
    const presented = JSON.stringify([applicationId, userName, password]);
    try {
      await this.#compare(applicationId, credentials);
    } catch (error) {
      throw this.guessing.countFailure({ mode: 'postback', applicationId }, presented, error);
    }
  }

  async #compare(
    applicationId: number,
    { userName, password }: PostbackCredentials,
  ): Promise<void> {
    const presented = sha256(password);
    const isValid = (stored: Buffer | undefined) =>
      timingSafeEqual(presented, stored ?? placeholderHash) && userName === postbackUserName;
    if (isValid(await this.#hashes.fetch(applicationId))) return;
    // The secret may have been replaced since.
    const ageMs = cacheTtlMs - this.#hashes.getRemainingTTL(applicationId);
    const isOld = ageMs > lookupIntervalMs;
    if (isOld && isValid(await this.#hashes.fetch(applicationId, { forceRefresh: true }))) return;
    throw new Failure('unauthenticated', 'the credentials of the postback are wrong');
  }

  async #request(applicationId: number): Promise<Buffer> {
    if (this.#lookupsUnderWay >= maxLookups) {
      throw new Failure('overloaded', 'too many secrets of postbacks are being looked up');
    }
    this.#lookupsUnderWay += 1;
    try {
      const { secretHash } = await this.bus.request(findPostbackAccess, { applicationId });
      return Buffer.from(secretHash, 'base64url');
    } catch (error) {
      if (Failure.from(error).code === 'not-found') return placeholderHash;
      throw error;
    } finally {
      this.#lookupsUnderWay -= 1;
    }
  }
}
