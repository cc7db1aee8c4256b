import type { Completion, Success } from '../results/result.ts';
import type { RuntimeData } from '../results/runtime.ts';

/** A registration as it is read from the database, with its course. */
export interface RegistrationRow {
  readonly id: number;
  readonly registration_id: string;
  readonly course_version: number;
  readonly course_id: string;
  readonly course_title: string;
  readonly version: number;
  readonly learner_id: string;
  readonly email: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly completion: Completion;
  readonly success: Success;
  readonly score: number | null;
  readonly progress: number | null;
  readonly total_seconds: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly first_access_at: Date | null;
  readonly last_access_at: Date | null;
  readonly completed_at: Date | null;
}

/** SQL text: the registrations `r` with all that a {@link RegistrationRow} has. */
export const selectRegistrations = `
  SELECT r.id, r.registration_id, r.course_version, c.course_id, c.title AS course_title,
         v.version, r.learner_id, r.email, r.first_name, r.last_name, r.completion, r.success,
         r.score, r.progress, r.total_seconds, r.created_at, r.updated_at, r.first_access_at,
         r.last_access_at, r.completed_at
  FROM registrations r
  JOIN courses c ON c.id = r.course
  JOIN course_versions v ON v.id = r.course_version`;

/** How the learner of a registration stands in one launchable item, as it is stored. */
export interface ScoState {
  readonly activity_id: string;
  readonly attempts: number;
  readonly suspended: boolean;
  readonly completion: Completion;
  readonly success: Success;
  readonly score: number | null;
  readonly progress: number | null;
  readonly seconds: number;
  /** Null where the query left it out. */
  readonly runtime: RuntimeData | null;
  readonly opened_at: Date;
}
