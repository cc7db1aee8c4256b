import { Failure } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import {
  appLogger,
  clock,
  currentRequestContext,
  type Logger,
  runInRequestContext,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/** Time limit of the provider's call, for which the response waits. */
const timeoutMs = 5_000;

/** Sets the title of a course at its provider, where learners see it. */
@Injectable()
export class ProviderTitle {
  constructor(
    private readonly providers: CourseProviderDirectory,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never fails: the catalog's title counts, and an error at the provider is only logged. */
  async set(applicationId: number, courseGuid: string, title: string): Promise<void> {
    const { requestId = randomUUID(), deadline } = currentRequestContext() ?? {};
    const until = Math.min(clock.now() + timeoutMs, deadline ?? Infinity);
    try {
      await runInRequestContext({ requestId, deadline: until }, async () => {
        const provider = await this.providers.forApplication(applicationId);
        await provider.setCourseTitle(courseGuid, title);
      });
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn(
        { code, reason: message },
        'the title of a course could not be set at the provider',
      );
    }
  }
}
