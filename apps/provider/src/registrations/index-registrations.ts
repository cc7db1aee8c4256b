import { Database, join, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { listQuery, pageConditions, pageOrder, type PageRequest, toPage } from '../http/paging.ts';
import { LoadRegistrationRecords } from './load-registration-records.ts';
import { detailsQuery, toRegistrationDetails } from './registration-details.ts';
import type { RegistrationRecord } from './registration-record.ts';
import { registrationRow, selectRegistrations } from './registration-row.ts';

export const registrationListQuery = listQuery.extend({
  ...detailsQuery.shape,
  datetimeFilter: listQuery.shape.datetimeFilter.default('created'),
  courseId: z.string().optional(),
  learnerId: z.string().optional(),
});

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
    request: PageRequest<z.output<typeof registrationListQuery>>,
  ): Promise<{ registrations: RegistrationRecord[]; more?: string | undefined }> {
    const { query } = request;
    const details = toRegistrationDetails(query);
    const pageSize = details.children || details.runtime ? pageSizes.full : pageSizes.summary;
    const { courseId, learnerId } = query;
    const conditions = [
      ownedBy(application, 'r'),
      ...(courseId === undefined ? [] : [sql`c.course_id = ${courseId}`]),
      ...(learnerId === undefined ? [] : [sql`r.learner_id = ${learnerId}`]),
      ...pageConditions(request, 'r'),
    ];
    const found = await this.database.many(
      registrationRow,
      sql`${selectRegistrations}
          WHERE ${join(conditions, ' AND ')}
          ${pageOrder('r', query.orderBy, pageSize)}`,
    );
    const { rows, more } = toPage(found, pageSize, request);
    return { registrations: await this.records.load(application, rows, details), more };
  }
}
