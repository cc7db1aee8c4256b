import {
  createTemplate,
  deleteTemplate,
  indexTemplates,
  requireRealmAccess,
  requireWholeRealm,
  templateRecord,
  textLimits,
  updateTemplate,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { listParameters, readList } from '../lists/paging.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { parsePathId, parseUpdateTarget } from '../operations/named-item.ts';
import { exactFilter, optionalText } from '../parameters/parameter-types.ts';

/** The template record (contract/templates#record). */
const templateDefinition = defineRecord('template', 'templates', templateRecord, {
  sets: { public_minimum: ['id', 'name'] },
});

const name = z.string().min(1).max(textLimits.name);
const exampleName = 'welcome';
const body = { description: 'The text.', example: 'Welcome!' };
const markup = optionalText(textLimits.markup).meta({
  description: 'The language that the text is written in.',
  example: 'mustache',
});
const mimetype = optionalText(textLimits.mimetype).meta({
  description: 'The MIME type that the text produces.',
  example: 'text/plain',
});

/** The operations on templates (contract/templates). */
export const templateOperations: readonly Operation[] = [
  // contract/templates#index
  defineOperation({
    name: 'template index',
    summary: "Lists the realm's templates.",
    routes: [{ method: 'GET', path: '/template' }],
    parameters: z.object({
      name: exactFilter.describe('The template with this name.'),
      markup: exactFilter.describe('Templates with this markup.'),
      mimetype: exactFilter.describe('Templates with this MIME type.'),
      ...listParameters,
    }),
    record: templateDefinition,
    list: true,
    showsOnly: 'templates',
    requireAccess: requireWholeRealm,
    execute: async ({ bus, scope, parameters: { name, markup, mimetype, ...range } }) => ({
      pages: readList(bus, indexTemplates, { scope, filters: { name, markup, mimetype } }, range),
    }),
  }),

  // contract/templates#create
  defineOperation({
    name: 'template create',
    summary: 'Creates a template.',
    routes: [
      { method: 'POST', path: '/template' },
      { method: 'GET', path: '/template/gcreate' },
    ],
    parameters: z.object({
      name: name.meta({
        description: 'The name, which no other template of the realm has.',
        example: exampleName,
      }),
      body: z.string().max(textLimits.templateBody).default('').meta(body),
      markup,
      mimetype,
    }),
    record: templateDefinition,
    changesCatalog: true,
    status: 201,
    errorStatuses: [302],
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters }) => ({
      record: await bus.request(createTemplate, { scope, ...parameters }),
    }),
  }),

  // contract/templates#update
  defineOperation({
    name: 'template update',
    summary: 'Changes a template.',
    routes: [
      { method: 'PUT', path: '/template/:id' },
      { method: 'POST', path: '/template/:id' },
      { method: 'GET', path: '/template/gupdate' },
      { method: 'GET', path: '/template/gupdate/:id' },
    ],
    namedBy: 'name',
    parameters: z.object({
      name: name.optional().meta({
        description: 'With an id in the path: the new name. Without: the template to change.',
        example: exampleName,
      }),
      body: optionalText(textLimits.templateBody).meta(body),
      markup,
      mimetype,
    }),
    record: templateDefinition,
    changesCatalog: true,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path, parameters: { name, ...texts } }) => {
      const { target, newName } = parseUpdateTarget(path['id'], name);
      return {
        record: await bus.request(updateTemplate, {
          scope,
          template: target,
          name: newName,
          ...texts,
        }),
      };
    },
  }),

  // contract/templates#delete
  defineOperation({
    name: 'template delete',
    summary: 'Deletes a template.',
    routes: [{ method: 'DELETE', path: '/template/:id' }],
    record: templateDefinition,
    changesCatalog: true,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path }) => ({
      record: await bus.request(deleteTemplate, { scope, id: parsePathId(path['id']) }),
    }),
  }),
];
