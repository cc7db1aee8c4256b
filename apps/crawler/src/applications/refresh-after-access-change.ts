import { HandleEvent } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Controller } from '@nestjs/common';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { RefreshApplications } from './refresh-applications.ts';

/**
 * Drops cached credentials and refreshes the provider applications. One replica handles the event; the
 * others cache credentials for seconds only ({@link CourseProviderDirectory}).
 */
@Controller()
export class RefreshAfterAccessChange {
  constructor(
    private readonly providers: CourseProviderDirectory,
    private readonly rateLimits: RateLimits,
    private readonly refreshApplications: RefreshApplications,
  ) {}

  @HandleEvent(accessChanged)
  async refresh(): Promise<void> {
    this.providers.invalidate();
    await this.rateLimits.retryUnauthorized();
    await this.refreshApplications.refresh();
  }
}
