import { rotatePostbackSecret, showPostbackSecret } from '@registrar/contracts';
import { postbackUrl } from '@registrar/course-provider';
import { postbackSettings, readSettings } from '@registrar/platform';
import { idArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import type { Terminal } from './terminal.ts';

/** What to do to see the address of postbacks. */
export const postbackHint =
  'For the address of postbacks, set POSTBACK_URL as enrolment has it (docs/crawling.md).';

/** Where a course provider sends the postbacks of an application; null without `POSTBACK_URL`. */
export function postbackUrlOf({ environment }: Terminal, applicationId: number): string | null {
  const { POSTBACK_URL: base } = readSettings(postbackSettings, environment);
  return base === undefined ? null : postbackUrl(base, applicationId);
}

/** `registrar provider postback`. */
export function addPostback(provider: OperatorCommand): void {
  addCommand(provider, 'postback', {
    description: 'show the address and the credentials with which the provider reports changes',
    examples: ['provider postback 1', 'provider postback 1 --rotate'],
  })
    .argument('<id>', 'the id of the provider application', idArgument)
    .option('--rotate', 'replace the password; registrations that exist keep the old one')
    .handle(async ({ terminal, output, ask }, id: number, { rotate }: { rotate?: true }) => {
      const url = postbackUrlOf(terminal, id);
      const request = rotate ? rotatePostbackSecret : showPostbackSecret;
      const { userName, password } = await ask((bus) =>
        bus.request(request, { applicationId: id }),
      );
      await output.record({ id, url, user_name: userName, password });
      if (url === null) output.note(postbackHint);
    });
}
