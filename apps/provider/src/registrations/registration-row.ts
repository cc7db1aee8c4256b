import { raw, type Sql, sql } from '@registrar/persistence';
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
  instance: z.number(),
  /** Whether it is the result of an earlier instance. */
  is_former: z.boolean(),
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

/** The columns with the result of an instance, which `registrations` and `former_instances` have. */
export const resultColumns = [
  'instance',
  'course_version',
  'completion',
  'success',
  'score',
  'progress',
  'total_seconds',
  'global_objectives',
  'shared_data',
  'sequencing',
  'updated_at',
  'first_access_at',
  'last_access_at',
  'completed_at',
];

/** @param alias of the table with the result: `r`, or `f` for a former instance */
const selectFrom = (alias: 'r' | 'f', tables: Sql, hasOpenLaunch: Sql) => sql`
  SELECT r.id, r.registration_id, c.course_id, c.title AS course_title, v.version, r.tags,
         r.learner_id, r.email, r.first_name, r.last_name, r.created_at,
         ${raw(resultColumns.map((column) => `${alias}.${column}`).join(', '))},
         ${raw(String(alias === 'f'))} AS is_former, ${hasOpenLaunch} AS has_open_launch
  FROM ${tables}
  JOIN courses AS c ON c.id = r.course
  JOIN course_versions AS v ON v.id = ${raw(alias)}.course_version`;

/** Selects {@link registrationRow}s, with their current instances, from `registrations AS r`. */
export const selectRegistrations = selectFrom(
  'r',
  raw('registrations AS r'),
  raw(`EXISTS (SELECT FROM launches AS l
               WHERE l.registration = r.id AND l.tracking AND l.expires_at > now())`),
);

/** Selects {@link registrationRow}s of earlier instances from `registrations AS r` and `former_instances AS f`. */
export const selectFormerInstances = selectFrom(
  'f',
  raw('registrations AS r JOIN former_instances AS f ON f.registration = r.id'),
  raw('false'),
);

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
