import { HttpException } from '@nestjs/common';

/** A request that is refused for a while. */
export class RetryLater extends HttpException {
  /** When the request should be repeated: seconds. */
  readonly retryAfterSeconds = 10;
}
