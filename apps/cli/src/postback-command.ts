import { type BusClient, type ReplyOf } from '@registrar/bus';
import { rotatePostbackSecret, showPostbackSecret } from '@registrar/contracts';
import { postbackUrl } from '@registrar/course-provider';
import { postbackSettings, readSettings } from '@registrar/platform';
import { idArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import type { Terminal } from './terminal.ts';

/** How a course provider authenticates its postbacks, and where it sends them. */
interface PostbackAccount {
  /** Null without POSTBACK_URL. */
  readonly url: string | null;
  readonly user_name: string;
  readonly password: string;
}

/** What to do to see the address of postbacks. */
export const postbackHint =
  'For the address of postbacks, set POSTBACK_URL as enrolment has it (docs/crawling.md).';

/** Whether `POSTBACK_URL` is set. */
export const knowsPostbackUrl = ({ environment }: Terminal): boolean =>
  readSettings(postbackSettings, environment).POSTBACK_URL !== undefined;

/** @throws {Failure} `not-found` for an unknown application */
export async function showPostbacks(
  bus: BusClient,
  terminal: Terminal,
  applicationId: number,
): Promise<PostbackAccount> {
  return accountOf(
    terminal,
    applicationId,
    await bus.request(showPostbackSecret, { applicationId }),
  );
}

function accountOf(
  { environment }: Terminal,
  applicationId: number,
  { userName, password }: ReplyOf<typeof showPostbackSecret>,
): PostbackAccount {
  const { POSTBACK_URL: base } = readSettings(postbackSettings, environment);
  const url = base === undefined ? null : postbackUrl(base, applicationId);
  return { url, user_name: userName, password };
}

/** `registrar provider postback`. */
export function addPostback(provider: OperatorCommand): void {
  addCommand(provider, 'postback', {
    description: 'show the address and the credentials with which the provider reports changes',
    examples: ['provider postback 1', 'provider postback 1 --rotate'],
  })
    .argument('<id>', 'the id of the provider application', idArgument)
    .option('--rotate', 'replace the password; registrations that exist keep the old one')
    .handle(async ({ terminal, output, ask }, id: number, options: { rotate?: true }) => {
      const account = await ask(async (bus) => {
        if (!options.rotate) return showPostbacks(bus, terminal, id);
        const replaced = await bus.request(rotatePostbackSecret, { applicationId: id });
        return accountOf(terminal, id, replaced);
      });
      await output.record({ id, ...account });
      if (account.url === null) output.note(postbackHint);
    });
}
