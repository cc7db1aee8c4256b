/** The field set `public_minimum` of registrations (decision 17). */
export const registrationMinimum = [
  'id',
  'registration_guid',
  'course_guid',
  'learner_id',
  'complete',
  'success',
  'score',
] as const;
