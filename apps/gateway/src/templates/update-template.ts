import { updateTemplate } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { namedBy } from '../operations/named-by.ts';
import { optionalText } from '../parameters/parameter-types.ts';
import { templateDescription } from './template-description.ts';

/** Template: update and gupdate; without `:id`, `name` says which template it is. */
export const updateTemplateOperation = defineOperation({
  name: 'template update',
  summary: 'Change a template.',
  routes: [
    { method: 'PUT', path: '/template/:id' },
    { method: 'POST', path: '/template/:id' },
    { method: 'GET', path: '/template/gupdate' },
    { method: 'GET', path: '/template/gupdate/:id' },
  ],
  parameters: z.object({
    name: z.string().min(1).max(255).optional(),
    body: optionalText(1_048_576),
    markup: optionalText(100),
    mimetype: optionalText(255),
  }),
  record: templateDescription,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters: { name, ...texts } }) => {
    const { item, newName } = namedBy(path['id'], name);
    return {
      record: await bus.request(updateTemplate, { scope, template: item, name: newName, ...texts }),
    };
  },
});
