import { type TemplateRecord, toTimestamp } from '@registrar/contracts';
import { type Template } from './template.entity.ts';

/** Converts a template to its record (contract/templates#record). */
export const toTemplateRecord = (template: Template): TemplateRecord => ({
  id: template.id,
  name: template.name,
  body: template.body,
  markup: template.markup,
  mimetype: template.mimetype,
  realm_id: template.realmId,
  created_at: toTimestamp(template.createdAt),
  updated_at: toTimestamp(template.updatedAt),
});
