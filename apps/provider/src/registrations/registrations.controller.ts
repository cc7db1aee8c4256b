import { Body, Delete, Get, Head, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/basic-auth.guard.ts';
import { type PageRequest, PageRequestPipe, sendPage } from '../http/paging.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { CreateRegistration, registrationBody } from './create-registration.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { FindRegistration } from './find-registration.ts';
import { IndexRegistrations, registrationListQuery } from './index-registrations.ts';
import { detailsQuery, toRegistrationDetails } from './registration-details.ts';
import { ResetProgress } from './reset-progress.ts';

/** Registrations in the API. */
@ApiController('registrations')
export class RegistrationsController {
  constructor(
    private readonly createRegistration: CreateRegistration,
    private readonly indexRegistrations: IndexRegistrations,
    private readonly findRegistration: FindRegistration,
    private readonly resetProgress: ResetProgress,
    private readonly deleteRegistration: DeleteRegistration,
  ) {}

  @Post()
  @HttpCode(204)
  create(
    @CurrentApplication() application: AuthenticatedApplication,
    @Body(new SchemaPipe(registrationBody)) body: z.output<typeof registrationBody>,
  ) {
    return this.createRegistration.create(application, body);
  }

  @Get()
  async index(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new PageRequestPipe(registrationListQuery))
    request: PageRequest<z.output<typeof registrationListQuery>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendPage(await this.indexRegistrations.index(application, request), reply);
  }

  @Head(':id')
  async exists(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
  ): Promise<void> {
    await this.findRegistration.findRow(application, id);
  }

  @Get(':id')
  find(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @QueryParameters(new SchemaPipe(detailsQuery)) query: z.output<typeof detailsQuery>,
  ) {
    return this.findRegistration.find(application, id, toRegistrationDetails(query));
  }

  /** A registration has a single instance, because it keeps the course version it was created for. */
  @Get(':id/instances')
  async listInstances(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @QueryParameters(new SchemaPipe(detailsQuery)) query: z.output<typeof detailsQuery>,
  ) {
    const details = toRegistrationDetails(query);
    return { registrations: [await this.findRegistration.find(application, id, details)] };
  }

  @Delete(':id/progress')
  @HttpCode(204)
  reset(@CurrentApplication() application: AuthenticatedApplication, @Param('id') id: string) {
    return this.resetProgress.reset(application, id);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@CurrentApplication() application: AuthenticatedApplication, @Param('id') id: string) {
    return this.deleteRegistration.delete(application, id);
  }
}
