import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { globalObjectives } from '../results/global-objectives.ts';
import { completion, success } from '../results/result.ts';
import { runtimeTree } from '../results/runtime.ts';
import { sequencingState } from '../sequencing/sequencing-state.ts';

/** The values of shared data (`adl.data`), by the id of the data. */
export const sharedData = z.record(z.string(), z.string());
export type SharedData = z.output<typeof sharedData>;

/** The sequencing of a registration; what its activities share has columns of its own. */
export const storedSequencing = sequencingState.omit({ globals: true }).extend({
  /** The id of the launch whose window navigates. */
  window: z.number(),
  /** Whether other registrations of the learner use the objectives, and the data. */
  sharesObjectives: z.boolean(),
  sharesData: z.boolean(),
});

/** A registration with its course, as it is read from the database. */
export const registrationRow = z.object({
  id: z.number(),
  registration_id: z.string(),
  course_version: z.number(),
  course_id: z.string(),
  course_title: z.string(),
  version: z.number(),
  learner_id: z.string(),
  tags: z.array(z.string()),
  email: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  completion,
  success,
  score: z.number().nullable(),
  progress: z.number().nullable(),
  total_seconds: z.number(),
  global_objectives: globalObjectives,
  shared_data: sharedData,
  /** Null if the course has no sequencing, or was not opened. */
  sequencing: storedSequencing.nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  first_access_at: z.date().nullable(),
  last_access_at: z.date().nullable(),
  completed_at: z.date().nullable(),
  has_open_launch: z.boolean(),
});
export type RegistrationRow = z.output<typeof registrationRow>;

/** Selects {@link registrationRow}s from `registrations AS r`. */
export const selectRegistrations = sql`
  SELECT r.id, r.registration_id, r.course_version, c.course_id, c.title AS course_title,
         v.version, r.tags, r.learner_id, r.email, r.first_name, r.last_name, r.completion, r.success,
         r.score, r.progress, r.total_seconds, r.global_objectives, r.shared_data, r.sequencing, r.created_at, r.updated_at, r.first_access_at,
         r.last_access_at, r.completed_at,
         EXISTS (SELECT FROM launches AS l
                 WHERE l.registration = r.id AND l.tracking AND l.expires_at > now())
           AS has_open_launch
  FROM registrations AS r
  JOIN courses AS c ON c.id = r.course
  JOIN course_versions AS v ON v.id = r.course_version`;

/** The stored state of a launchable item of a course for one registration. */
export const scoStateRow = z.object({
  activity_id: z.string(),
  attempts: z.number(),
  suspended: z.boolean(),
  completion,
  success,
  score: z.number().nullable(),
  progress: z.number().nullable(),
  seconds: z.number(),
  /** Null if the query did not select it. */
  runtime: runtimeTree.nullable(),
  opened_at: z.date(),
});
export type ScoStateRow = z.output<typeof scoStateRow>;
