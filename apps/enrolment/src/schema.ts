import { type ContextSchema } from '@registrar/persistence';
import { busMigrations } from '@registrar/bus';
import { Enrolment1790000000000 } from './migrations/1790000000000-enrolment.migration.ts';

/** Enrolment's part of the database. */
export const enrolmentSchema: ContextSchema = {
  name: 'enrolment',
  entities: [],
  migrations: [...busMigrations, Enrolment1790000000000],
};
