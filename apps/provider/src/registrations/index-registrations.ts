import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { listQuery, type Page, type PageRequest, readPage } from '../http/paging.ts';
import { LoadRegistrationRecords } from './load-registration-records.ts';
import { detailsQuery, toRegistrationDetails } from './registration-details.ts';
import type { RegistrationRecord } from './registration-record.ts';
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

export const registrationListQuery = listQuery.extend({
  ...detailsQuery.shape,
  datetimeFilter: listQuery.shape.datetimeFilter.default('created'),
  filterBy: z
    .enum(Object.keys(filterColumns) as [keyof typeof filterColumns])
    .default('registration_id'),
  courseId: z.string().optional(),
  learnerId: z.string().optional(),
});
type RegistrationListRequest = PageRequest<z.output<typeof registrationListQuery>>;

/** A page of registrations in the API. */
interface RegistrationList {
  readonly registrations: RegistrationRecord[];
  readonly more?: string | undefined;
}

/** Registrations per page. Full results are large. */
const pageSizes = { summary: 500, full: 100 };

/** Lists the registrations of an application. */
@Injectable()
export class IndexRegistrations {
  constructor(
    private readonly database: Database,
    private readonly records: LoadRegistrationRecords,
  ) {}

  async index(
    application: AuthenticatedApplication,
    request: RegistrationListRequest,
  ): Promise<Page<RegistrationList>> {
    const { query } = request;
    const details = toRegistrationDetails(query);
    const { courseId, learnerId } = query;
    const { rows, more, totalCount } = await readPage(
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
        pageSize: details.children || details.runtime ? pageSizes.full : pageSizes.summary,
      },
      request,
    );
    const registrations = await this.records.load(application, rows, details);
    return { body: { registrations, more }, totalCount };
  }
}
