import { Database, join, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { LoadRegistrationRecords } from './load-registration-records.ts';
import { detailsQuery, toRegistrationDetails } from './registration-details.ts';
import type { RegistrationRecord } from './registration-record.ts';
import { registrationRow, selectRegistrations } from './registration-row.ts';
import {
  countItems,
  listConditions,
  listQuery,
  type Page,
  pageCondition,
  pageOrder,
  type PageRequest,
  toPage,
} from '../http/paging.ts';

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
    const pageSize = details.children || details.runtime ? pageSizes.full : pageSizes.summary;
    const { courseId, learnerId } = query;
    const matching = [
      ownedBy(application, 'r'),
      ...(courseId === undefined ? [] : [sql`c.course_id = ${courseId}`]),
      ...(learnerId === undefined ? [] : [sql`r.learner_id = ${learnerId}`]),
      ...listConditions(query, 'r', filterColumns[query.filterBy]),
    ];
    const found = await this.database.many(
      registrationRow,
      sql`${selectRegistrations}
          WHERE ${join([...matching, ...pageCondition(request, 'r')], ' AND ')}
          ${pageOrder('r', query.orderBy, pageSize)}`,
    );
    const { rows, more } = toPage(found, pageSize, request);
    const registrations = await this.records.load(application, rows, details);
    const body = { registrations, more };
    const from = sql`FROM registrations AS r JOIN courses AS c ON c.id = r.course WHERE ${join(matching, ' AND ')}`;
    return { body, totalCount: await countItems(this.database, request, from) };
  }
}
