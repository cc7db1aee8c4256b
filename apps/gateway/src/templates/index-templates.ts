import { indexTemplates } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { exact } from '../parameters/parameter-types.ts';
import { templateDescription } from './template-description.ts';

/** Template: index. */
export const indexTemplatesOperation = defineOperation({
  name: 'template index',
  summary: "List the realm's templates.",
  routes: [{ method: 'GET', path: '/template' }],
  parameters: z.object({ name: exact, markup: exact, mimetype: exact }),
  record: templateDescription,
  list: true,
  status: 200,
  answer: async ({ bus, scope, parameters }) => ({
    pages: bus.pages(indexTemplates, { scope, filters: parameters }),
  }),
});
