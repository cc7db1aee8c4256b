import { createTemplate } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { optionalText } from '../parameters/parameter-types.ts';
import { templateDescription } from './template-description.ts';

/** Template: create and gcreate; 302 when the realm has one of that name (decision 26). */
export const createTemplateOperation = defineOperation({
  name: 'template create',
  summary: 'Make a template.',
  routes: [
    { method: 'POST', path: '/template' },
    { method: 'GET', path: '/template/gcreate' },
  ],
  parameters: z.object({
    name: z.string().min(1).max(255),
    body: z.string().max(1_048_576).default(''),
    markup: optionalText(100),
    mimetype: optionalText(255),
  }),
  record: templateDescription,
  status: 201,
  refusals: [302],
  answer: async ({ bus, scope, parameters }) => ({
    record: await bus.request(createTemplate, { scope, ...parameters }),
  }),
});
