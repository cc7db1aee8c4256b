import {
  appLogger,
  clock,
  exponentialDelay,
  logFailedWork,
  type Logger,
} from '@registrar/platform';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { SealConfiguration } from '../configuration/seal-configuration.ts';
import { PostbackOrigins } from '../egress/allowed-origins.ts';
import { LoadRegistration } from '../registrations/load-registration.ts';
import { type Fault, postResult, reasonOf } from './post-result.ts';
import { PostbackMetrics } from './postback-metrics.ts';
import { type ClaimedPostback, PostbackRows } from './postback-rows.ts';
import { detailsOf, receiverOf } from './postback-receiver.ts';
import { type PostbackTimes, postbackTimes } from './postback-times.ts';

/** After so many failed deliveries, most of them 15 minutes apart, a postback is given up. */
const maxFailures = 70;

/** Sends one postback with the newest result of its registration, and records the outcome. */
@Injectable()
export class DeliverPostback {
  constructor(
    private readonly rows: PostbackRows,
    private readonly registrations: LoadRegistration,
    private readonly origins: PostbackOrigins,
    private readonly sealing: SealConfiguration,
    private readonly metrics: PostbackMetrics,
    @Inject(postbackTimes) private readonly times: PostbackTimes,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** @param stopping ends the delivery without an outcome: the postback stays due */
  async deliver(postback: ClaimedPostback, stopping: AbortSignal): Promise<void> {
    const { ApiRollupRegistrationPostBackUrl: url } = postback.configuration;
    // The setting was removed since the result changed.
    if (!url) {
      await this.rows.remove(postback);
      return;
    }
    if (!this.origins.includes(url)) {
      const reason = 'PROVIDER_POSTBACK_ORIGINS does not allow its origin any more';
      await this.abandon(postback, { reason, retryAfterMs: 0 });
      return;
    }
    const fault = await this.send(postback, stopping);
    if (fault === null) {
      this.metrics.count('delivered');
      await this.rows.remove(postback);
    } else if (stopping.aborted) {
      await this.rows.release(postback, 0);
    } else if (postback.failures + 1 >= maxFailures) {
      await this.abandon(postback, fault);
    } else {
      await this.postpone(postback, fault);
    }
  }

  /** Resolves with null if the result was delivered, or its registration was deleted. */
  private async send(postback: ClaimedPostback, stopping: AbortSignal): Promise<Fault | null> {
    const { application_id: applicationId, registration_id: registrationId } = postback;
    const application = { id: applicationId };
    const record = await this.registrations
      .load(application, registrationId, null, detailsOf(postback.configuration))
      .catch(nullIfNotFound);
    if (!record) return null;
    const timeout = clock.timeout(this.times.responseMs);
    try {
      const receiver = receiverOf(postback.configuration, (sealed) =>
        this.sealing.openPassword(application, sealed),
      );
      const signal = AbortSignal.any([timeout.signal, stopping]);
      return await postResult(receiver, record, signal);
    } catch (error) {
      return { reason: reasonOf(error), retryAfterMs: 0, error };
    } finally {
      timeout.cancel();
    }
  }

  private async postpone(postback: ClaimedPostback, fault: Fault): Promise<void> {
    const { retryMs } = this.times;
    const backOffMs = exponentialDelay(postback.failures + 1, retryMs);
    const leastMs = Math.min(Math.max(backOffMs, fault.retryAfterMs), retryMs.longest);
    // Up to a fifth more, so that the postbacks of an outage do not all return at the same time.
    const delayMs = Math.round(leastMs * (1 + Math.random() / 5));
    this.metrics.count('failed');
    const fields = { ...fieldsOf(postback, fault), again_in_ms: delayMs };
    logFailedWork(this.logger, fault.error, fields, 'a postback will be retried');
    await this.rows.postpone(postback, delayMs);
  }

  private async abandon(postback: ClaimedPostback, fault: Fault): Promise<void> {
    this.metrics.count('abandoned');
    logFailedWork(this.logger, fault.error, fieldsOf(postback, fault), 'a postback was given up');
    await this.rows.remove(postback);
  }
}

/** The URL is not logged: its path and its query may contain secrets. */
const fieldsOf = (postback: ClaimedPostback, { status, reason }: Fault) => ({
  registration: postback.registration_id,
  origin: URL.parse(postback.configuration.ApiRollupRegistrationPostBackUrl ?? '')?.origin,
  attempts: postback.failures + 1,
  ...(status !== undefined && { status }),
  reason,
});

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundException) return null;
  throw error;
}
