import {
  createdRegistrationRecord,
  indexedRegistrationRecord,
  listedRegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

/** The field set `public_minimum` (contract/parameters#template-public-minimum). */
export const registrationMinimum = [
  'id',
  'registration_guid',
  'course_guid',
  'learner_id',
  'complete',
  'success',
  'score',
];
const sets = { public_minimum: registrationMinimum };

const formerNames = {
  scorm_cloud_app_id: 'hosted_app_id',
  scorm_cloud_course_id: 'hosted_course_id',
};

const names = ['registration', 'registrations'] as const;

/** The registration record (contract/registrations#record). */
export const registrationDefinition = defineRecord(...names, registrationRecord, {
  sets,
  formerNames,
});

/** `synced_at` is shown when it is named (contract/registrations#synced-at). */
const listed = { sets, formerNames, onlyNamed: ['synced_at'] };

/** The record in the index. */
export const indexedRegistrationDefinition = defineRecord(
  ...names,
  indexedRegistrationRecord,
  listed,
);

/** The record with `include_inactive` (contract/registrations#include-inactive). */
export const listedRegistrationDefinition = defineRecord(
  ...names,
  listedRegistrationRecord,
  listed,
);

/** The record in the response of create (contract/registrations#create-references). */
export const createdRegistrationDefinition = defineRecord(...names, createdRegistrationRecord, {
  sets,
  formerNames: {
    hosted_app_id: 'course_provider_id',
    hosted_course_id: 'course_id',
    scorm_cloud_app_id: 'course_provider_id',
    scorm_cloud_course_id: 'course_id',
  },
});
