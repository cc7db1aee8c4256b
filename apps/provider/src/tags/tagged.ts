import { raw, type Sql, sql } from '@registrar/persistence';
import type { NotFoundException } from '@nestjs/common';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseNotFound } from '../courses/find-course.ts';
import { learnerNotFound } from '../learners/learner-act.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';

/** What has tags in the API. */
export interface Tagged {
  readonly table: 'courses' | 'registrations' | 'tagged_learners';
  /** The column of the id that the application chose. */
  readonly idColumn: 'course_id' | 'registration_id' | 'learner_id';
  readonly notFound: (id: string) => NotFoundException;
  /** Selects the tags with that id. */
  readonly tagsOf: (application: AuthenticatedApplication, id: string) => Sql;
  /** Inserts and locks the rows of those that exist, before tags change; null if there is always a row. */
  readonly enter: ((application: AuthenticatedApplication, ids: readonly string[]) => Sql) | null;
}

const withRows = ({ table, idColumn }: Pick<Tagged, 'table' | 'idColumn'>) => ({
  table,
  idColumn,
  tagsOf: (application: AuthenticatedApplication, id: string) =>
    sql`SELECT t.tags FROM ${raw(table)} AS t
        WHERE ${ownedBy(application, 't')} AND t.${raw(idColumn)} = ${id}`,
  enter: null,
});

export const taggedCourses: Tagged = {
  ...withRows({ table: 'courses', idColumn: 'course_id' }),
  notFound: courseNotFound,
};

export const taggedRegistrations: Tagged = {
  ...withRows({ table: 'registrations', idColumn: 'registration_id' }),
  notFound: registrationNotFound,
};

/** Learners are known by their registrations, and have a row from their first tag on. */
export const taggedLearners: Tagged = {
  table: 'tagged_learners',
  idColumn: 'learner_id',
  notFound: learnerNotFound,
  tagsOf: (application, id) =>
    sql`SELECT coalesce(t.tags, '{}') AS tags
        FROM registrations AS r LEFT JOIN tagged_learners AS t USING (application_id, learner_id)
        WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${id} LIMIT 1`,
  enter: (application, ids) =>
    sql`INSERT INTO tagged_learners (application_id, learner_id)
        SELECT DISTINCT ${application.id}::integer, given.id FROM unnest(${ids}::text[]) AS given (id)
        WHERE EXISTS (SELECT FROM registrations AS r
                      WHERE ${ownedBy(application, 'r')} AND r.learner_id = given.id)
        ORDER BY given.id
        -- Updated rather than left, so that it is not pruned meanwhile.
        ON CONFLICT (application_id, learner_id) DO UPDATE SET learner_id = excluded.learner_id`,
};
