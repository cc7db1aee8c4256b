import {
  createdRegistrationRecord,
  listedRegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

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

/** The registration record (contract/registrations#record). */
export const registrationDefinition = defineRecord(
  'registration',
  'registrations',
  registrationRecord,
  { sets },
);

/** The record with `include_inactive` (contract/registrations#include-inactive). */
export const listedRegistrationDefinition = defineRecord(
  'registration',
  'registrations',
  listedRegistrationRecord,
  { sets },
);

/** The record in the response of create (contract/registrations#create-references). */
export const createdRegistrationDefinition = defineRecord(
  'registration',
  'registrations',
  createdRegistrationRecord,
  { sets },
);
