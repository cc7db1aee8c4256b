import { HandleBroadcast } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { CourseProviderDirectory } from './course-provider-directory.ts';

/** Drops cached credentials in every replica when the identity context reports changed access. */
@Controller()
export class InvalidateCourseProviders {
  constructor(private readonly directory: CourseProviderDirectory) {}

  @HandleBroadcast(accessChanged)
  invalidate(): void {
    this.directory.invalidate();
  }
}
