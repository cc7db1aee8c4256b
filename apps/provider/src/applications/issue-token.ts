import { Body, HttpCode, Post } from '@nestjs/common';
import * as z from 'zod';
import type { RememberedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { FormPipe } from '../http/form.pipe.ts';
import { scope } from '../http/scopes.ts';
import { AccessTokens } from './access-tokens.ts';

const lifetimeSeconds = z.coerce
  .number({ error: 'is not a number of seconds' })
  .int()
  .min(1)
  .max(86_400)
  .default(300);

const tokenForm = z.strictObject({
  scope: z
    .string({ error: 'is missing' })
    .transform((text) => [...new Set(text.split(' ').filter(Boolean))])
    .pipe(z.array(scope).min(1, { error: 'is missing' })),
  expiration: lifetimeSeconds,
});

/** Issues access tokens by client credentials (RFC 6749, 4.4). */
@ApiController('oauth/authenticate/application/token')
export class IssueToken {
  constructor(private readonly tokens: AccessTokens) {}

  @Post()
  @HttpCode(200)
  issue(
    @CurrentApplication() application: RememberedApplication,
    @Body(new FormPipe(tokenForm)) { scope: scopes, expiration }: z.output<typeof tokenForm>,
  ) {
    return {
      access_token: this.tokens.issue({ ...application, scopes }, expiration),
      token_type: 'Bearer',
      expires_in: expiration,
    };
  }
}
