import { Body, Delete, Get, Head, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { Application } from '../applications/application.ts';
import { ApiController } from '../http/api-controller.ts';
import { Caller } from '../http/basic-auth.ts';
import { BuildLaunchLink } from '../launches/build-launch-link.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { FindRegistration } from './find-registration.ts';
import { IndexRegistrations } from './index-registrations.ts';

/** Registrations in the API: create, index, read, launch, delete. */
@ApiController('registrations')
export class RegistrationsController {
  constructor(
    private readonly createRegistration: CreateRegistration,
    private readonly indexRegistrations: IndexRegistrations,
    private readonly findRegistration: FindRegistration,
    private readonly buildLaunchLink: BuildLaunchLink,
    private readonly deleteRegistration: DeleteRegistration,
  ) {}

  @Post()
  @HttpCode(204)
  create(@Caller() application: Application, @Body() body: unknown) {
    return this.createRegistration.run(application, body);
  }

  @Get()
  index(@Caller() application: Application, @Query() query: unknown) {
    return this.indexRegistrations.run(application, query);
  }

  @Head(':id')
  async exists(@Caller() application: Application, @Param('id') id: string): Promise<void> {
    await this.findRegistration.row(application, id);
  }

  @Get(':id')
  find(@Caller() application: Application, @Param('id') id: string, @Query() query: unknown) {
    return this.findRegistration.run(application, id, query);
  }

  /** A registration has one instance here: it stays with the course version that it began with. */
  @Get(':id/instances')
  async instances(
    @Caller() application: Application,
    @Param('id') id: string,
    @Query() query: unknown,
  ) {
    return { registrations: [await this.findRegistration.run(application, id, query)] };
  }

  @Get(':id/launchHistory')
  launchHistory(@Caller() application: Application, @Param('id') id: string) {
    return this.findRegistration.launchHistory(application, id);
  }

  @Post(':id/launchLink')
  @HttpCode(200)
  async launchLink(
    @Caller() application: Application,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    return { launchLink: await this.buildLaunchLink.run(application, id, body) };
  }

  @Delete(':id/progress')
  @HttpCode(204)
  deleteProgress(@Caller() application: Application, @Param('id') id: string) {
    return this.deleteRegistration.progress(application, id);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Caller() application: Application, @Param('id') id: string) {
    return this.deleteRegistration.run(application, id);
  }
}
