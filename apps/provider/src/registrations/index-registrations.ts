import { Database, sql } from '@registrar/persistence';
import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { listQuery, type PageRequest, PageRequestPipe, readPage } from '../http/paging.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { LoadRegistration } from './load-registration.ts';
import { detailsQuery } from './registration-details.ts';
import { registrationRow, selectRegistrations } from './registration-row.ts';

/** The columns that `filter` can search. */
const filterColumns = {
  registration_id: 'r.registration_id',
  course_id: 'c.course_id',
  course_title: 'c.title',
  learner_id: 'r.learner_id',
  learner_first_name: 'r.first_name',
  learner_last_name: 'r.last_name',
} as const;

const registrationListQuery = listQuery.extend({
  ...detailsQuery.shape,
  datetimeFilter: listQuery.shape.datetimeFilter.default('created'),
  filterBy: z
    .enum(Object.keys(filterColumns) as [keyof typeof filterColumns])
    .default('registration_id'),
  courseId: z.string().optional(),
  learnerId: z.string().optional(),
});
type RegistrationListRequest = PageRequest<z.output<typeof registrationListQuery>>;

/** Registrations per page. Full results are large. */
const pageSizes = { summary: 500, full: 100 };

/** Lists the registrations of an application. */
@ApiController('registrations')
export class IndexRegistrations {
  constructor(
    private readonly database: Database,
    private readonly registrations: LoadRegistration,
  ) {}

  @Get()
  async index(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new PageRequestPipe(registrationListQuery)) request: RegistrationListRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { query } = request;
    const { courseId, learnerId } = query;
    const { rows, more } = await readPage(
      this.database,
      {
        row: registrationRow,
        select: selectRegistrations,
        from: sql`FROM registrations AS r JOIN courses AS c ON c.id = r.course`,
        alias: 'r',
        filterColumn: filterColumns[query.filterBy],
        conditions: [
          ownedBy(application, 'r'),
          ...(courseId === undefined ? [] : [sql`c.course_id = ${courseId}`]),
          ...(learnerId === undefined ? [] : [sql`r.learner_id = ${learnerId}`]),
        ],
        pageSize:
          query.includeChildResults || query.includeRuntime ? pageSizes.full : pageSizes.summary,
      },
      request,
      reply,
    );
    const registrations = await this.registrations.toRecords(application, rows, query);
    return { registrations, more };
  }
}
