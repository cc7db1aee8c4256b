import { HandleEvent } from '#libs/bus';
import { accessChanged } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Controller } from '@nestjs/common';
import { KnownApplications } from './known-applications.ts';

/**
 * What identity tells of provider applications. Other replicas than the one that handles the event
 * hold a connection for seconds only (`CourseProviderDirectory`).
 */
@Controller()
export class AccessEvents {
  constructor(
    private readonly providers: CourseProviderDirectory,
    private readonly knownApplications: KnownApplications,
  ) {}

  @HandleEvent(accessChanged)
  async accessChanged(): Promise<void> {
    this.providers.forget();
    await this.knownApplications.refresh();
  }
}
