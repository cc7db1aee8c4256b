import { templateRecord } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

/** The template record (contract/templates#record). */
export const templateDefinition = defineRecord('template', 'templates', templateRecord, {
  sets: { public_minimum: ['id', 'name'] },
});
