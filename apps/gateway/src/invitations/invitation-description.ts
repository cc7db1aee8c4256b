import { invitationRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';

const shown = [
  'id',
  'name',
  'description',
  'enabled',
  'license',
  'avoid_duplicate_registrations',
  'no_updates_allowed',
  'custom',
  'course_guids',
  'learners',
];
const sets = {
  public: [...shown, 'registration_guids', 'realm_id'],
  public_minimum: ['id', 'name', 'course_guids'],
  extended: [...shown, 'realm_id', 'invitation_template_id', 'created_at', 'updated_at'],
};

/** The invitation record, public and extended (api-v2.md, Invitation record). */
export const invitationDescription = describeRecord('invitation', 'invitations', invitationRecord, {
  sets,
});

/** The public record with the map of registrations in place of their list (decision 24). */
export const invitationWithRegistrationsDescription = describeRecord(
  'invitation',
  'invitations',
  invitationRecord.extend({ registration_guids: z.json() }),
  { sets },
);

/** The extended answer of add_learners. */
export const addedLearnersDescription = describeRecord(
  'invitation',
  'invitations',
  z.object({
    record: invitationRecord.omit({ registration_guids: true }),
    registration_guids: z.json(),
    messages: z.array(z.string()),
  }),
);
