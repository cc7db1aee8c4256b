import type * as z from 'zod';

/** How deeply JSON of clients may be nested: writing it is a recursion, which the stack limits. */
export const maxJsonDepth = 100;

/** Whether JSON has no more than {@link maxJsonDepth} levels. Looks no deeper than that. */
export const isShallowJson = (value: z.core.util.JSONType, levels = maxJsonDepth): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallowJson(inner, levels - 1)));
