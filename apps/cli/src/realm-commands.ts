import {
  createRealm,
  Failure,
  guid,
  listRealms,
  rotateRealmSecret,
  switchRealm,
} from '@registrar/contracts';
import { argumentOf, durationArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { shownOnce } from './output.ts';
import { createOwnApplication, joinRealm, ownProviderUrl } from './own-applications.ts';
import { addRealmLimitsCommand } from './realm-limits-command.ts';
import { addRealmSettingsCommands } from './realm-settings-commands.ts';

const bothShownOnce = 'The secret keys are shown this once: keep them where they are safe.';

interface CreateOptions {
  readonly withApplication?: true;
}

interface RotateOptions {
  readonly overlap?: number;
  readonly endKeys?: true;
}

/** `registrar realm`: who shares users, keys, invitations and provider applications. */
export function addRealmCommands(program: OperatorCommand): void {
  const realm = program
    .command('realm')
    .description(
      'make realms, list them, disable them, give them new secret keys, settings and limits',
    );

  addCommand(realm, 'create', {
    description: 'make a realm, and show its guid and secret key',
    examples: ['realm create "Swimming school" --with-application', 'realm create Demo --json'],
  })
    .argument('<name>', 'what people call it', argumentOf(createRealm.input.shape.name))
    .option('--with-application', 'add a new application at our own course provider to it')
    .handle(async ({ terminal, output, ask }, name: string, { withApplication }: CreateOptions) => {
      const url = withApplication ? await ownProviderUrl(terminal) : null;
      await ask(async (bus) => {
        // First, because an account that no realm uses does no harm when the rest fails.
        const account = url === null ? null : await createOwnApplication(bus, name);
        const { realmId, realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
        const realm = {
          realm_id: realmId,
          realm_guid: realmGuid,
          realm_secret_key: realmSecretKey,
        };
        if (account === null || url === null) return output.record(realm);
        const joined = joinRealm(bus, account, { realmGuid, name, baseUrl: url });
        // The secret key of the realm is shown whatever happens now.
        await output.record({ ...realm, ...(await joined.catch(() => null)) });
        await joined.catch((error: unknown) => {
          const { code, message } = Failure.from(error);
          const remedy = `registrar application create --realm ${realmGuid}`;
          throw new Failure(code, `the realm has no application: ${message}. Try: ${remedy}`);
        });
      });
      output.note(withApplication ? bothShownOnce : shownOnce('secret key'));
    });

  addCommand(realm, 'list', {
    description: 'list all realms',
    examples: ['realm list', 'realm list --json'],
  }).handle(({ list }) => list(listRealms, {}));

  addCommand(realm, 'rotate', {
    description:
      'give a realm a new secret key; the old one is refused, at once or after --overlap',
    examples: [
      'realm rotate 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --overlap 24h',
      'realm rotate 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --end-keys',
    ],
  })
    .argument('<guid>', 'the guid of the realm', argumentOf(guid))
    .option(
      '--overlap <time>',
      'accept the old secret key for so long, such as 24h',
      durationArgument,
    )
    .option('--end-keys', 'revoke all API keys of the realm too')
    .handle(async ({ output, ask }, realmGuid: string, options: RotateOptions) => {
      const rotated = await ask((bus) =>
        bus.request(rotateRealmSecret, {
          realmGuid,
          overlapSeconds: options.overlap ?? 0,
          endKeys: options.endKeys ?? false,
        }),
      );
      await output.record({
        realm_guid: rotated.realmGuid,
        realm_secret_key: rotated.realmSecretKey,
        previous_valid_until: rotated.previousUntil,
        revoked_keys: rotated.revokedKeys,
      });
      output.note(shownOnce('secret key'));
    });

  for (const [name, enabled, description] of [
    ['disable', false, 'refuse all access to a realm, end its course windows, pause its crawls'],
    ['enable', true, 'end what disable has begun; windows that have ended stay so'],
  ] as const) {
    addCommand(realm, name, {
      description,
      examples: [`realm ${name} 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10`],
    })
      .argument('<guid>', 'the guid of the realm', argumentOf(guid))
      .handle(async ({ output, ask }, realmGuid: string) => {
        const { disabledAt } = await ask((bus) => bus.request(switchRealm, { realmGuid, enabled }));
        await output.record({ realm_guid: realmGuid, disabled_at: disabledAt });
      });
  }

  addRealmSettingsCommands(realm);
  addRealmLimitsCommand(realm);
}
