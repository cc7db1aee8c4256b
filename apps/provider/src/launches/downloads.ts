import { type FailedAccessLimits, largestNetwork, OverLimitLog } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { FairQueue, type FairQueueLimits, type Owner, type Rejection } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { Gauge, Registry } from 'prom-client';

/** How many files of courses one provider sends at a time, and how many requests wait for their turn. */
export interface DownloadLimits extends FairQueueLimits {
  /** Of a registration, a preview, or the API of an application. */
  readonly ofReader: { readonly running: number; readonly waiting: number };
  /** Of an IPv4 address or the first 48 bits of an IPv6 one, except for trusted proxies. */
  readonly ofNetwork: { readonly running: number; readonly waiting: number };
  readonly trustsPeer: FailedAccessLimits['trustsPeer'];
}

/** Injects {@link DownloadLimits}. */
export const downloadLimits = Symbol('limits of downloads');

/**
 * A browser opens six connections to an origin; by a proxy with HTTP/2 it asks for a hundred
 * files at a time, most of which are small. A download takes a part of its file in memory.
 */
export const defaultDownloadLimits = {
  running: 256,
  runningOfRealm: 'fewer than are free',
  waiting: 2_048,
  waitingOfRealm: 1_024,
  ofReader: { running: 16, waiting: 256 },
  ofNetwork: { running: 128, waiting: 1_024 },
  maxWaitMs: 20_000,
} satisfies Omit<DownloadLimits, 'trustsPeer'>;

/** When a request should be repeated that found too many waiting: seconds. */
const retryAfterSeconds = 5;

/** Lets the downloads of registrations, previews, applications and addresses take turns. */
@Injectable()
export class Downloads {
  readonly #queue: FairQueue;

  constructor(
    @Inject(downloadLimits) private readonly limits: DownloadLimits,
    private readonly overLimit: OverLimitLog<'downloads'>,
    registry: Registry,
  ) {
    const queue = new FairQueue(limits, (rejection) => this.refuse(rejection));
    this.#queue = queue;
    new Gauge({
      name: 'registrar_content_downloads_waiting',
      help: 'Requests for files of courses that wait for their turn.',
      registers: [registry],
      collect() {
        this.set(queue.waiting);
      },
    });
  }

  /**
   * Waits for the turn of a download. It lasts until its response has been sent, or its client has
   * disconnected.
   *
   * @param reader the application and one of its readers, such as a registration
   * @throws {Failure} `over-limit` or `overloaded` when too many wait, or after the longest wait
   */
  begin(reader: Owner, { request, raw }: FastifyReply): Promise<void> {
    return new Promise((begin, refuse) => {
      const download = async () => {
        begin();
        if (!raw.destroyed) await once(raw, 'close');
      };
      this.#queue.run(this.ownerOf(reader, request.ip), download).catch(refuse);
    });
  }

  private ownerOf(reader: Owner, address: string): Owner {
    const { ofReader, ofNetwork, trustsPeer } = this.limits;
    const account = { name: reader.key, ...ofReader };
    const network = { name: `network ${largestNetwork(address)}`, ...ofNetwork };
    return {
      ...reader,
      accounts: trustsPeer(address, 0) ? [account] : [account, network],
    };
  }

  private refuse({ cause, realmId }: Rejection): Failure {
    const whose = cause === 'all' ? 'all applications' : `application ${realmId}`;
    this.overLimit.record('downloads', `the downloads of ${whose} have reached a limit`);
    const code = cause === 'all' ? 'overloaded' : 'over-limit';
    const message = 'Too many files are being downloaded. Try again later.';
    return new Failure(code, message, undefined, { retryAfterSeconds });
  }
}
