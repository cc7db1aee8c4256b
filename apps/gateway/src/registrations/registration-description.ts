import {
  createdRegistrationRecord,
  listedRegistrationRecord,
  registrationRecord,
} from '#libs/contracts';
import { describeRecord } from '#libs/formats';

const sets = {
  public_minimum: [
    'id',
    'registration_guid',
    'course_guid',
    'learner_id',
    'complete',
    'success',
    'score',
  ],
};

/** The registration record, in an index and after an update. */
export const registrationDescription = describeRecord(
  'registration',
  'registrations',
  registrationRecord,
  { sets },
);

/** The registration record with `include_inactive` (decision 18). */
export const listedRegistrationDescription = describeRecord(
  'registration',
  'registrations',
  listedRegistrationRecord,
  { sets },
);

/** The registration record as create answers it. */
export const createdRegistrationDescription = describeRecord(
  'registration',
  'registrations',
  createdRegistrationRecord,
  { sets },
);
