import { customJson, guid, textLimits } from '@registrar/contracts';
import * as z from 'zod';
import {
  idParameter,
  jsonText,
  optionalFlag,
  optionalText,
} from '../parameters/parameter-types.ts';

/** The parameters that create and update share (contract/invitations#create). */
export const invitationParameters = {
  description: optionalText(textLimits.description).meta({
    description: 'What the invitation is for.',
    example: 'Spring courses',
  }),
  enabled: optionalFlag.describe('Whether learners can be added.'),
  license: optionalFlag.describe(
    'Whether the invitation is a license with seats (`license_data` in `custom`).',
  ),
  avoid_duplicate_registrations: optionalFlag.describe(
    'Whether a learner keeps an existing registration for a course.',
  ),
  no_updates_allowed: optionalFlag.describe('Whether the list of learners is frozen.'),
  custom: optionalText(textLimits.custom).meta({
    description: 'Any text, usually JSON.',
    example: '{"department":"sales"}',
  }),
  license_data: jsonText(customJson)
    .optional()
    .meta({
      description: 'Seats by course GUID, which replace `license_data` in `custom`.',
      example: '{}',
      jsonValue: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { seats_available: { type: 'integer', minimum: 0 } },
          required: ['seats_available'],
        },
      },
    }),
  course_guids: jsonText(z.array(guid).max(1000))
    .optional()
    .meta({ description: 'The GUIDs of its courses.', example: '["first-aid-basics"]' }),
  invitation_template_id: idParameter.optional().describe('The template of its messages.'),
};

/** The parameters as enrolment's requests name them; null for those not given. */
export const toInvitationInput = (given: z.output<z.ZodObject<typeof invitationParameters>>) => ({
  description: given.description,
  enabled: given.enabled,
  license: given.license,
  avoidDuplicateRegistrations: given.avoid_duplicate_registrations,
  noUpdatesAllowed: given.no_updates_allowed,
  custom: given.custom,
  licenseData: given.license_data ?? null,
  courseGuids: given.course_guids ?? null,
  invitationTemplateId: given.invitation_template_id ?? null,
});
