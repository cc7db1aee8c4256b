import { OverLimitLog } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { clock, FairQueue } from '@registrar/platform';
import { BadRequestException, Body, HttpCode, Inject, Post } from '@nestjs/common';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { postbackSettings } from '../configuration/postback-settings.ts';
import { PostbackOrigins } from '../egress/allowed-origins.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { postResult, reasonOf } from './post-result.ts';
import { detailsOf, receiverOf } from './postback-receiver.ts';
import { type PostbackRequest, postbackRequest } from './postback-request.ts';
import { type PostbackTimes, postbackTimes } from './postback-times.ts';
import { testRecord } from './test-record.ts';

/** Each test holds a connection until the receiver responds. */
const testLimits = {
  running: 8,
  runningOfRealm: 2,
  waiting: 32,
  waitingOfRealm: 8,
  maxWaitMs: 10_000,
};

/** Sends a made-up result to a receiver of postbacks, so that its address and credentials can be tried. */
@ApiController('registrations/postBackTest')
export class TestPostback {
  readonly #turns = new FairQueue(testLimits, ({ realmId }) => {
    this.overLimit.record(
      'postback-tests',
      `application ${realmId} has too many tests of postbacks`,
    );
    return new Failure('over-limit', 'Too many postbacks are being tested. Try again later.');
  });

  constructor(
    private readonly origins: PostbackOrigins,
    private readonly overLimit: OverLimitLog<'postback-tests'>,
    @Inject(postbackTimes) private readonly times: PostbackTimes,
  ) {}

  /** @throws {BadRequestException} if the operator does not allow the origin, or the receiver does not take the result */
  @Post()
  @HttpCode(204)
  async test(
    @CurrentApplication() { id }: AuthenticatedApplication,
    @Body(new SchemaPipe(postbackRequest)) request: PostbackRequest,
  ): Promise<void> {
    this.origins.assertIncludes(request.url, 'url');
    const reason = await this.#turns.run({ realmId: id, key: 'tests' }, () => this.send(request));
    if (reason !== null)
      throw new BadRequestException(`The postback was not delivered: ${reason}.`);
  }

  /** Resolves with the reason of a failure, or null. */
  private async send(request: PostbackRequest): Promise<string | null> {
    const configuration = postbackSettings(request);
    const timeout = clock.timeout(this.times.responseMs);
    try {
      const receiver = receiverOf(configuration, (password) => password);
      const record = testRecord(detailsOf(configuration));
      const fault = await postResult(receiver, record, timeout.signal);
      return fault && fault.reason;
    } catch (error) {
      return reasonOf(error);
    } finally {
      timeout.cancel();
    }
  }
}
