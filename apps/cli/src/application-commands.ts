import {
  createProviderApplication,
  Failure,
  guid,
  rotateApplicationSecret,
} from '@registrar/contracts';
import { argumentOf, durationArgument, idArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { findApplication } from './find-application.ts';
import { findRealm } from './find-realm.ts';
import { shownOnce } from './output.ts';
import {
  createOwnApplication,
  joinRealm,
  newSecretKey,
  ownProviderUrl,
} from './own-applications.ts';

/** A day, in which clients take over a new secret key. */
const defaultOverlapSeconds = 86_400;

interface CreateOptions {
  readonly realm: string;
  readonly name: string;
}

/** `registrar application`: accounts at our own course provider. */
export function addApplicationCommands(program: OperatorCommand): void {
  const application = program
    .command('application')
    .description('make accounts at our own course provider, give them new secret keys');

  addCommand(application, 'create', {
    description: 'make an application at our own course provider, and add it to a realm',
    examples: [
      'application create --realm 3fe5e9b6-…',
      'application create --realm 3fe5e9b6-… --name "Safety courses" --json',
    ],
  })
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option(
      '--name <name>',
      'what people call it',
      argumentOf(createProviderApplication.input.shape.name),
      'Main',
    )
    .handle(async ({ terminal, output, ask }, { realm: realmGuid, name }: CreateOptions) => {
      const baseUrl = await ownProviderUrl(terminal);
      const made = await ask(async (bus) => {
        // An account for a realm that does not exist would remain at the provider.
        const realmId = await findRealm(bus, realmGuid);
        const account = await createOwnApplication(bus, name);
        return {
          realm_id: realmId,
          ...(await joinRealm(bus, account, { realmGuid, name, baseUrl })),
        };
      });
      await output.record(made);
      output.note(shownOnce('secret key'));
    });

  addCommand(application, 'rotate', {
    description: 'give an application at our own course provider a new secret key, and store it',
    examples: ['application rotate 3', 'application rotate 3 --overlap 0s'],
  })
    .argument('<id>', 'the id of the provider application', idArgument)
    .option(
      '--overlap <time>',
      'how long the old secret key is still accepted, such as 30m (default: 24h)',
      durationArgument,
      defaultOverlapSeconds,
    )
    .handle(async ({ output, ask }, id: number, options: { overlap: number }) => {
      const { overlap: overlapSeconds } = options;
      const secretKey = newSecretKey();
      await ask(async (bus) => {
        const { name, url: baseUrl, sc_app_id: appId, ...kept } = await findApplication(bus, id);
        // The provider first: from now on it accepts both.
        await bus.request(rotateApplicationSecret, { appId, secretKey, overlapSeconds });
        const account = { realmGuid: kept.realm_guid, name, baseUrl, appId, secretKey };
        // Shown first: the provider has the new secret key, whether or not it can be stored.
        await output.record({ id, sc_app_id: appId, sc_secret_key: secretKey });
        try {
          await bus.request(createProviderApplication, { ...account, overlapSeconds });
        } catch (error) {
          const { code, message } = Failure.from(error);
          const remedy = `registrar provider rotate ${id}`;
          throw new Failure(code, `the secret key is not stored: ${message}. Try: ${remedy}`);
        }
      });
      output.note(shownOnce('secret key'));
    });
}
