import { templateRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';

/** The template record (decision 26). */
export const templateDescription = describeRecord('template', 'templates', templateRecord, {
  sets: { public_minimum: ['id', 'name'] },
});
