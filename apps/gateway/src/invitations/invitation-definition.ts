import { invitationRecord } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';

const without = (...names: string[]) =>
  Object.keys(invitationRecord.shape).filter((name) => !names.includes(name));
const sets = {
  public: without('invitation_template_id', 'created_at', 'updated_at'),
  public_minimum: ['id', 'name', 'course_guids'],
  extended: without('registration_guids'),
};

/** The invitation record (contract/invitations#record). */
export const invitationDefinition = defineRecord('invitation', 'invitations', invitationRecord, {
  sets,
});

/** What a user-bound key sees of an invitation whose name it has (contract/compatibility#user-licenses). */
export const knownInvitationDefinition = defineRecord(
  'invitation',
  'invitations',
  invitationRecord.pick({
    id: true,
    name: true,
    enabled: true,
    license: true,
    course_guids: true,
  }),
);

const messages = z.array(z.string());
const setsWithMessages = { ...sets, public: [...sets.public, 'messages'] };

/** The record with `nodelay` (contract/invitations#public-messages). */
export const invitationWithMessagesDefinition = defineRecord(
  'invitation',
  'invitations',
  invitationRecord.extend({ messages }),
  { sets: setsWithMessages },
);

/** The record with `show_registration_guids` (contract/invitations#show-registration-guids). */
export const invitationWithRegistrationsDefinition = defineRecord(
  'invitation',
  'invitations',
  invitationRecord.extend({ registration_guids: z.json(), messages }),
  { sets: setsWithMessages },
);

/** The extended response of add_learners (contract/invitations#add-extended-response). */
export const addedLearnersDefinition = defineRecord(
  'invitation',
  'invitations',
  z.object({
    record: invitationRecord.omit({ registration_guids: true }),
    registration_guids: z.json(),
    messages,
  }),
);
