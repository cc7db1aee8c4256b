import { HandleBroadcast } from '#libs/bus';
import { accessChanged } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Controller } from '@nestjs/common';

/** Credentials of course providers are asked for again when identity says that access changed. */
@Controller()
export class ProviderAccess {
  constructor(private readonly providers: CourseProviderDirectory) {}

  @HandleBroadcast(accessChanged)
  accessChanged(): void {
    this.providers.forget();
  }
}
