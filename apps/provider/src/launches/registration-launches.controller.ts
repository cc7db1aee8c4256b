import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication, ServesPaused } from '../http/basic-auth.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { BuildLaunchLink, launchLinkBody } from './build-launch-link.ts';
import { EndLaunches } from './end-launches.ts';
import { LaunchHistory } from './launch-history.ts';

/** Launches of a registration in the API. */
@ApiController('registrations/:id')
export class RegistrationLaunchesController {
  constructor(
    private readonly launchHistory: LaunchHistory,
    private readonly buildLaunchLink: BuildLaunchLink,
    private readonly endLaunches: EndLaunches,
  ) {}

  @Get('launchHistory')
  async list(@CurrentApplication() application: AuthenticatedApplication, @Param('id') id: string) {
    return { launchHistory: await this.launchHistory.list(application, id) };
  }

  @Delete('launches')
  @HttpCode(204)
  @ServesPaused()
  end(@CurrentApplication() application: AuthenticatedApplication, @Param('id') id: string) {
    return this.endLaunches.end(application, id);
  }

  @Post('launchLink')
  @HttpCode(200)
  async buildLink(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Body(new SchemaPipe(launchLinkBody)) body: z.output<typeof launchLinkBody>,
  ) {
    return { launchLink: await this.buildLaunchLink.build(application, id, body) };
  }
}
