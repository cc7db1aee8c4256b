import { AddressRates, clientNetwork } from '@registrar/bootstrap';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access-resolver.ts';
import type { Operation } from '../operations/operation.ts';
import { OverLimit } from './over-limit.ts';
import { RealmRates } from './realm-rates.ts';
import { Slots } from './slots.ts';

/**
 * What bounds how much one client takes from the others. A request meets these steps in this order; the last
 * column is the attack that shows what a step protects (`npm run attack -- --only NAME`).
 *
 * | when | step | protects | attack |
 * |---|---|---|---|
 * | it connects | `limitConnections` | sockets: clients share them, those of a network together | `many-addresses` |
 * | its head arrives | Node's `headersTimeout` | sockets: a head takes 10 s at most | `stalled-bodies` |
 * | | `AddressRates` | the event loop: requests per second of strangers | `guessing` |
 * | | `Slots.requireSlotFor` | everything: what cannot be worked on is shed before other work | `sizes` |
 * | its body arrives | `watchBodies` | sockets: bodies have a least speed and a greatest number | `stalled-bodies` |
 * | | `readBodies` | memory, event loop: 64 KiB, more with access, and all bodies together | `sizes`, `event-loop` |
 * | it has arrived | `Slot.acquire` | memory: the number of requests in flight | `sizes` |
 * | its access is wrong | `GuessingGuard` | secrets: answers to guesses are delayed | `guessing` |
 * | its access is valid | `RealmRates` | what an operator limits for each realm, key and user | `floods` |
 * | it is a list or upload | `Slot.becomeStream` | memory: realms share streams, and their keys and users | `slow-readers` |
 * | it is about to ask a context | `Turns.busFor` | the event loop: without room in its realm, it is shed before its parameters are parsed | `floods` |
 * | it asks a context | `Turns` | the contexts: realms take turns, and their keys and users | `floods`, `self-competition`, `crawl-flood` |
 * | a user has too many | `OverLimit.delay` | the event loop: refusals are answered late | `self-competition` |
 *
 * libs/bootstrap has the steps that the provider's server shares.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly addresses: AddressRates,
    private readonly overLimit: OverLimit,
    private readonly slots: Slots,
    private readonly rates: RealmRates,
  ) {}

  /**
   * The steps of a request whose head has arrived.
   *
   * @param operation null for a path that no operation has
   * @throws {ShedRequest}
   */
  onArrival({ ip }: FastifyRequest, operation: Operation | null): void {
    const waitSeconds = this.addresses.count(ip);
    if (waitSeconds > 0) {
      throw this.overLimit.refuse('address', `address ${clientNetwork(ip)}`, waitSeconds);
    }
    if (operation) this.slots.requireSlotFor(operation);
  }

  /**
   * The steps of a request whose access is valid. It no longer counts for its address: a realm that is alone
   * may use all of the system, and takes turns with others when it is not.
   *
   * @throws {ShedRequest}
   */
  onAccess({ ip }: FastifyRequest, reply: FastifyReply, { quotas }: Access): void {
    this.addresses.uncount(ip);
    if (quotas.length > 0) this.rates.count(quotas, reply);
  }
}
