import { guid } from '#libs/contracts';
import * as z from 'zod';
import { idNumber, jsonText, optionalFlag, optionalText } from '../parameters/parameter-types.ts';

/** What create and update take, beside the name (decision 24). */
export const invitationParameters = {
  description: optionalText(65_536),
  enabled: optionalFlag,
  license: optionalFlag,
  avoid_duplicate_registrations: optionalFlag,
  no_updates_allowed: optionalFlag,
  custom: optionalText(1_048_576),
  course_guids: jsonText(z.array(guid).max(1000)).optional(),
  invitation_template_id: idNumber.optional(),
};

/** The same in the words of enrolment; null for what was not given. */
export const invitationText = (given: z.output<z.ZodObject<typeof invitationParameters>>) => ({
  description: given.description,
  enabled: given.enabled,
  license: given.license,
  avoidDuplicateRegistrations: given.avoid_duplicate_registrations,
  noUpdatesAllowed: given.no_updates_allowed,
  custom: given.custom,
  courseGuids: given.course_guids ?? null,
  invitationTemplateId: given.invitation_template_id ?? null,
});
