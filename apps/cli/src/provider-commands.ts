import { type InputOf } from '@registrar/bus';
import {
  createProviderApplication,
  Failure,
  guid,
  listProviderApplicationSummaries,
  findProviderCredentials,
  showPostbackSecret,
} from '@registrar/contracts';
import {
  connectCourseProvider,
  CourseProviderError,
  tolerableSkew,
} from '@registrar/course-provider';
import { providerSecretPurpose, Sealing, SettingsError } from '@registrar/platform';
import { argumentOf, durationArgument, idArgument, readSecret } from './arguments.ts';
import { checkProvider } from './check-provider.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { findApplication } from './find-application.ts';
import { masterKeyFile } from './settings.ts';
import { addPostback, postbackHint, postbackUrlOf } from './postback-command.ts';

const { name, baseUrl, appId } = createProviderApplication.input.shape;
const noCheck =
  'store it without a call to the provider, which is down or cannot be reached from here';
const secretFile = 'a file that holds the secret key; - for standard input';

interface AddOptions {
  readonly realm: string;
  readonly name: string;
  readonly url: string;
  readonly appId: string;
  readonly secretFile: string;
  readonly check: boolean;
}

interface RotateOptions {
  readonly secretFile: string;
  readonly overlap: number;
  readonly check: boolean;
}

/** `registrar provider`: the accounts at course providers that realms use. */
export function addProviderCommands(program: OperatorCommand): void {
  const provider = program
    .command('provider')
    .description(
      'add provider applications, list them, change their secret keys, try them, show their postbacks',
    );

  addCommand(provider, 'add', {
    description:
      'add a provider application to a realm; one that the realm has already is changed to what is given',
    examples: [
      'provider add --realm 3fe5e9b6-… --name Main --url https://cloud.scorm.com \\\n' +
        '      --app-id ABC123 --secret-file abc123.secret',
      'provider add --realm 3fe5e9b6-… --name Main --url http://provider:8090 \\\n' +
        '      --app-id demo --secret-file - < demo.secret',
    ],
  })
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .requiredOption('--name <name>', 'what people call it', argumentOf(name))
    .requiredOption('--url <url>', "the address of the provider's API", argumentOf(baseUrl))
    .requiredOption('--app-id <id>', 'its application id at the provider', argumentOf(appId))
    .requiredOption('--secret-file <file>', secretFile)
    .option('--no-check', noCheck)
    .handle(async ({ terminal, output, json, ask }, options: AddOptions) => {
      const secretKey = await readSecret(options.secretFile, terminal);
      const { realm: realmGuid, name, url: baseUrl, appId } = options;
      const wanted = { realmGuid, name, baseUrl, appId, secretKey };
      await ask(async (bus) => {
        if (options.check) await requireAcceptance(wanted);
        const { applicationId, realmId } = await bus.request(createProviderApplication, wanted);
        const shown = { id: applicationId, realm_id: realmId };
        const url = postbackUrlOf(terminal, applicationId);
        if (url === null) {
          await output.record(shown);
          output.note(postbackHint);
          return;
        }
        const credentials = await bus.request(showPostbackSecret, { applicationId });
        const { userName: user_name, password } = credentials;
        const flat = { postback_url: url, postback_user_name: user_name };
        const postback = json
          ? { postback: { url, user_name, password } }
          : { ...flat, postback_password: password };
        await output.record({ ...shown, ...postback });
      });
    });

  addCommand(provider, 'list', {
    description: 'list the provider applications of a realm, or of all',
    examples: ['provider list', 'provider list --realm 3fe5e9b6-… --json'],
  })
    .option('--realm <guid>', 'only those of this realm', argumentOf(guid))
    .handle(({ list }, options: { realm?: string }) => {
      const columns = ['id', 'realm_guid', 'name', 'sc_app_id', 'url', 'updated_at'] as const;
      return list(listProviderApplicationSummaries, { realmGuid: options.realm ?? null }, columns);
    });

  addCommand(provider, 'rotate', {
    description: 'keep another secret key, which the provider has given to the application',
    examples: [
      'provider rotate 1 --secret-file abc123.secret',
      'provider rotate 1 --secret-file - --overlap 24h < abc123.secret',
    ],
  })
    .argument('<id>', 'the id of the provider application', idArgument)
    .requiredOption('--secret-file <file>', secretFile)
    .option(
      '--overlap <time>',
      'how long clients may still use the old secret key with the API, such as 24h',
      durationArgument,
      0,
    )
    .option('--no-check', noCheck)
    .handle(async ({ terminal, output, ask }, id: number, options: RotateOptions) => {
      const secretKey = await readSecret(options.secretFile, terminal);
      await ask(async (bus) => {
        const kept = await findApplication(bus, id);
        const { realm_guid: realmGuid, sc_app_id, url } = kept;
        const wanted = { realmGuid, name: kept.name, baseUrl: url, appId: sc_app_id, secretKey };
        if (options.check) await requireAcceptance(wanted);
        const overlapSeconds = options.overlap;
        await bus.request(createProviderApplication, { ...wanted, overlapSeconds });
        await output.record({ id, realm_guid: realmGuid, sc_app_id });
      });
      if (!options.check) output.note(`Try it with: registrar provider test ${id}`);
    });

  addCommand(provider, 'test', {
    description: 'call the provider as services do, and say what was found (needs MASTER_KEY_FILE)',
    examples: ['provider test 1', 'provider test 1 --json'],
  })
    .argument('<id>', 'the id of the provider application', idArgument)
    .handle(async ({ terminal, output, ask }, applicationId: number) => {
      const keyFile = masterKeyFile(terminal);
      if (keyFile === null) throw new SettingsError('MASTER_KEY_FILE is not set');
      const sealing = Sealing.fromKeyFile(keyFile);
      const findings = await ask(async (bus) => {
        const credentials = await bus.request(findProviderCredentials, { applicationId });
        const { baseUrl: url, appId: sc_app_id, sealedSecretKey } = credentials;
        const secretKey = sealing.tryOpen(sealedSecretKey, providerSecretPurpose(sc_app_id));
        if (secretKey === null) {
          throw new SettingsError('MASTER_KEY_FILE: not the key that the secret was sealed with');
        }
        const course = connectCourseProvider({ baseUrl: url, appId: sc_app_id, secretKey });
        const checked = await checkProvider(course);
        return { id: applicationId, url, sc_app_id, ...checked.findings };
      });
      await output.record(findings);
      if (Math.abs(findings.clock_skew_seconds ?? 0) > tolerableSkew) {
        output.note(`Clocks that differ by more than ${tolerableSkew} s make crawls miss changes.`);
      }
      if (findings.fault !== null) throw new Failure('unavailable', findings.fault);
    });
  addPostback(provider);
}

/**
 * Calls the provider with credentials that are to be stored.
 *
 * @throws {Failure} `unavailable` when the provider does not accept them, or does not answer
 */
async function requireAcceptance(wanted: InputOf<typeof createProviderApplication>): Promise<void> {
  try {
    await connectCourseProvider(wanted).ping();
  } catch (error) {
    if (!(error instanceof CourseProviderError)) throw error;
    throw new Failure(
      'unavailable',
      `${error.message}\nNothing was stored. To store it without a call to the provider: --no-check`,
    );
  }
}
