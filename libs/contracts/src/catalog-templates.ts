import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineList, defineRequest } from './message.ts';
import { id, timestamp } from './values.ts';

/** Template record (decision 26). */
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
 * The realm's templates. A user's key may read them; a provider pair, and a key made from one,
 * may not: `unauthenticated`.
 */
export const indexTemplates = defineList('catalog.index-templates', {
  input: z.object({
    scope: accessScope,
    filters: z.object({
      name: z.string().optional(),
      markup: z.string().optional(),
      mimetype: z.string().optional(),
    }),
  }),
  item: templateRecord,
});

const templateText = {
  body: z.string().max(1_048_576),
  markup: z.string().max(100).nullable(),
  mimetype: z.string().max(255).nullable(),
};

/** Makes a template; `unchanged` when the realm has one of that name. */
export const createTemplate = defineRequest('catalog.create-template', {
  changes: 'once',
  input: z.object({ scope: accessScope, name: z.string().min(1).max(255), ...templateText }),
  reply: templateRecord,
});

/** Sets what is not null. */
export const updateTemplate = defineRequest('catalog.update-template', {
  changes: 'once',
  input: z.object({
    scope: accessScope,
    /** By its id, or by its name. */
    template: z.discriminatedUnion('by', [
      z.object({ by: z.literal('id'), id }),
      z.object({ by: z.literal('name'), name: z.string() }),
    ]),
    name: z.string().min(1).max(255).nullable(),
    ...templateText,
    body: templateText.body.nullable(),
  }),
  reply: templateRecord,
});
