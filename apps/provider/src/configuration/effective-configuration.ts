import { sql } from '@registrar/persistence';

/**
 * SQL: the configuration that holds for a registration, whose rows are `applications AS a`, `courses AS c`,
 * `course_versions AS v` and, if it has one, `registration_configurations AS rc`. The more specific level wins.
 */
export const effectiveConfiguration = sql`(
  a.configuration || c.configuration || v.configuration || coalesce(rc.configuration, '{}'))`;

/** SQL: joins the rows of {@link effectiveConfiguration} to `registrations AS r`. */
export const joinConfigurations = sql`
  JOIN applications AS a ON a.id = r.application_id
  JOIN courses AS c ON c.id = r.course
  JOIN course_versions AS v ON v.id = r.course_version
  LEFT JOIN registration_configurations AS rc ON rc.registration = r.id`;
