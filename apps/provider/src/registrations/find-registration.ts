import { Get, Head, Param } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { timestamp } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { InstancePipe } from './instance.pipe.ts';
import { LoadRegistration } from './load-registration.ts';
import { detailsQuery, type RegistrationDetails } from './registration-details.ts';
import type { RegistrationRecord } from './registration-record.ts';

const instancesQuery = detailsQuery.extend({
  since: timestamp.optional(),
  until: timestamp.optional(),
});

/** Reads one registration in the API. */
@ApiController('registrations/:id')
export class FindRegistration {
  constructor(private readonly registrations: LoadRegistration) {}

  @Head()
  async exists(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
  ): Promise<void> {
    await this.registrations.loadRow(application, id, null);
  }

  @Get(['', 'instances/:instance'])
  find(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Param('instance', InstancePipe) instance: number | null,
    @QueryParameters(new SchemaPipe(detailsQuery)) query: RegistrationDetails,
  ): Promise<RegistrationRecord> {
    return this.registrations.load(application, id, instance, query);
  }

  /** Lists all instances, newest first: they are so few that they fit into one page. */
  @Get('instances')
  async listInstances(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @QueryParameters(new SchemaPipe(instancesQuery))
    { since, until, ...details }: z.output<typeof instancesQuery>,
  ): Promise<{ registrations: RegistrationRecord[] }> {
    const registrations = await this.registrations.loadInstances(application, id, details);
    const isInPeriod = (updated: Date) =>
      !(since && updated < since) && !(until && updated > until);
    return { registrations: registrations.filter(({ updated }) => isInPeriod(new Date(updated))) };
  }
}
