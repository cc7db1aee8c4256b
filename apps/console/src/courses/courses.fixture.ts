import type { CourseRecord } from '@registrar/contracts';

/** A course as the catalog lists it. */
export const sailing: CourseRecord = {
  id: 1,
  course_guid: 'sailing',
  course_provider_id: 1,
  title: 'Sailing',
  size: 2_000,
  versions: 2,
  registrations: 3,
  created_at: '2026-03-01T00:00:00Z',
  updated_at: '2026-03-02T00:00:00Z',
  custom: '{"team":"blue"}',
  metadata: '{"description":"On the sea"}',
  warnings: ['No title'],
};
