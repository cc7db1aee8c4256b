import * as z from 'zod';
import { postbackCredential } from '../configuration/settings.ts';
import { httpUrl } from '../egress/http-url.ts';
import { bodyObject } from '../http/parse.ts';

/** One of the names in any case. `UNDEFINED`, which generated clients send, means the first one. */
const nameOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .string()
    .default(names[0])
    .transform((given) => given.toUpperCase())
    .transform((given) => (given === 'UNDEFINED' ? names[0] : given))
    .pipe(z.enum(names, { error: `is not one of ${names.join(', ')}` }));

/** How a postback is authenticated: by fields of a form, or by Basic authentication (RFC 7617). */
const authType = nameOf(['FORM', 'HTTPBASIC']);

/** How much of the record is posted: the course, its activities, or their run-time data too. */
const resultsFormat = nameOf(['COURSE', 'ACTIVITY', 'FULL']);

const credential = postbackCredential.default('');

/** `postBack` of a registration: where changes of its result are posted. */
export const postbackRequest = bodyObject({
  url: httpUrl,
  authType,
  userName: credential,
  password: credential,
  resultsFormat,
  /** Results are posted as JSON. */
  legacy: z.literal(false, { error: 'XML is not supported' }).optional(),
}).refine(({ authType: type, userName }) => type !== 'HTTPBASIC' || !userName.includes(':'), {
  path: ['userName'],
  error: 'contains a colon, which Basic authentication does not allow',
});
export type PostbackRequest = z.output<typeof postbackRequest>;
