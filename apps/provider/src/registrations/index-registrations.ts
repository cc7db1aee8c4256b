import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import {
  Conditions,
  datetimeFilters,
  orderBy,
  pageClause,
  pageOf,
  pageQuery,
} from '../http/paging.ts';
import { moment, parse } from '../http/parse.ts';
import { activityParts, partsQuery } from './activity-parts.ts';
import { DescribeRegistrations } from './describe-registrations.ts';
import type { RegistrationRecord } from './registration-record.ts';
import { type RegistrationRow, selectRegistrations } from './registration-row.ts';

const query = partsQuery.extend({
  courseId: z.string().optional(),
  learnerId: z.string().optional(),
  since: moment.optional(),
  until: moment.optional(),
  datetimeFilter: z.enum(['created', 'updated']).default('created'),
  orderBy,
});

/** Registrations of a page: full results are large. */
const pageSizes = { summary: 500, full: 100 };

/** A page of an application's registrations. */
@Injectable()
export class IndexRegistrations {
  constructor(
    private readonly database: Database,
    private readonly describe: DescribeRegistrations,
  ) {}

  async run(
    application: Application,
    given: unknown,
  ): Promise<{ registrations: RegistrationRecord[]; more?: string | undefined }> {
    const { query: text, after } = pageQuery(given);
    const asked = parse(query, text);
    const parts = activityParts(asked);
    const pageSize = parts.children || parts.runtime ? pageSizes.full : pageSizes.summary;
    const moments = `r.${datetimeFilters[asked.datetimeFilter]}`;
    const where = new Conditions()
      .add('r.application_id = $', application.id)
      .add('c.course_id = $', asked.courseId)
      .add('r.learner_id = $', asked.learnerId)
      .add(`${moments} >= $`, asked.since)
      .add(`${moments} <= $`, asked.until)
      .after(after, 'r', asked.orderBy);
    const found = await this.database.query<RegistrationRow>(
      `${selectRegistrations}
       WHERE ${where.text}
       ${pageClause('r', asked.orderBy, pageSize)}`,
      where.parameters,
    );
    const { rows, more } = pageOf(found, pageSize, text, asked.orderBy);
    return { registrations: await this.describe.run(application, rows, parts), more };
  }
}
