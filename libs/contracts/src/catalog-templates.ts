import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineList, defineRequest } from './message.ts';
import { textLimits } from './text-limits.ts';
import { filterText, id, timestamp } from './values.ts';

/** Template record (contract/templates#record). */
export const templateRecord = z.object({
  id,
  name: z.string(),
  body: z.string(),
  markup: z.string().nullable(),
  mimetype: z.string().nullable(),
  realm_id: id,
  created_at: timestamp,
  updated_at: timestamp,
});
export type TemplateRecord = z.infer<typeof templateRecord>;

/**
 * Lists the realm's templates. A key that is bound to a user may read them.
 *
 * @throws {Failure} `unauthenticated` for a provider pair and for a key created from one
 */
export const indexTemplates = defineList('catalog.index-templates', {
  callers: ['gateway'],
  input: z.object({
    scope: accessScope,
    filters: z.object({
      name: filterText.optional(),
      markup: filterText.optional(),
      mimetype: filterText.optional(),
    }),
  }),
  item: templateRecord,
});

/**
 * Deletes a template (contract/templates#delete). The reply is its last record.
 *
 * @throws {Failure} `not-found` when the realm has no such template
 */
export const deleteTemplate = defineRequest('catalog.delete-template', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({ scope: accessScope, id }),
  reply: templateRecord,
});

const templateFields = {
  body: z.string().max(textLimits.templateBody),
  markup: z.string().max(textLimits.markup).nullable(),
  mimetype: z.string().max(textLimits.mimetype).nullable(),
};

/**
 * Creates a template.
 *
 * @throws {Failure} `unchanged` when the realm has a template of that name
 */
export const createTemplate = defineRequest('catalog.create-template', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    name: z.string().min(1).max(textLimits.name),
    ...templateFields,
  }),
  reply: templateRecord,
});

/**
 * Updates a template; a field that is null keeps its value.
 *
 * @throws {Failure} `not-found` when the realm has no such template
 */
export const updateTemplate = defineRequest('catalog.update-template', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    /** Identifies the template by its id or by its name. */
    template: z.discriminatedUnion('by', [
      z.object({ by: z.literal('id'), id }),
      z.object({ by: z.literal('name'), name: filterText }),
    ]),
    name: z.string().min(1).max(textLimits.name).nullable(),
    ...templateFields,
    body: templateFields.body.nullable(),
  }),
  reply: templateRecord,
});
