import { raw } from '@registrar/persistence';

/** Where triggers note the transactions that change records, and the column that names their owner. */
export const changes = {
  courses: { table: raw('course_changes'), owner: raw('provider_application_id') },
  templates: { table: raw('template_changes'), owner: raw('realm_id') },
} as const;

export type Changes = (typeof changes)[keyof typeof changes];
