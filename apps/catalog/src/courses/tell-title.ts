import { Failure } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { appLogger, currentOperation, type Logger, runOperation } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/** How long the provider may take to hear of a title; the answer waits for it: milliseconds. */
const tellingTime = 5_000;

/** Gives a course's title to its provider, so that learners see it there too. */
@Injectable()
export class TellTitle {
  constructor(
    private readonly providers: CourseProviderDirectory,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never fails: the title is ours in any case, and this is worth a try only. */
  async run(applicationId: number, courseGuid: string, title: string): Promise<void> {
    const { requestId = randomUUID(), deadline } = currentOperation() ?? {};
    const until = Math.min(Date.now() + tellingTime, deadline ?? Infinity);
    try {
      await runOperation({ requestId, deadline: until }, async () => {
        const provider = await this.providers.forApplication(applicationId);
        await provider.setCourseTitle(courseGuid, title);
      });
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ code, reason: message }, 'a course keeps its title at the provider');
    }
  }
}
