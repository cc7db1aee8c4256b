import { changeRealmCompatibility, guid } from '@registrar/contracts';
import { Option } from 'commander';
import { argumentOf } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { showRealm } from './find-realm.ts';
import { UsageError } from './terminal.ts';

interface Options {
  readonly compatibility?: 'bright' | 'none';
  readonly userLicenses?: 'on' | 'off';
}

/** `registrar realm show` and `registrar realm set`: a realm with its settings. */
export function addRealmSettingsCommands(realm: OperatorCommand): void {
  addCommand(realm, 'show', {
    description: 'show a realm with its settings',
    examples: ['realm show 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10'],
  })
    .argument('<guid>', 'the guid of the realm', argumentOf(guid))
    .handle(async ({ output, ask }, realmGuid: string) =>
      output.record(await ask((bus) => showRealm(bus, realmGuid))),
    );

  addCommand(realm, 'set', {
    description: 'change the settings of a realm',
    examples: [
      'realm set 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --compatibility bright',
      'realm set 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --user-licenses on',
    ],
  })
    .argument('<guid>', 'the guid of the realm', argumentOf(guid))
    .addOption(
      new Option(
        '--compatibility <service>',
        'serve the clients of an earlier service as it did, where that differs from the contract',
      ).choices(['bright', 'none']),
    )
    .addOption(
      new Option(
        '--user-licenses <switch>',
        'with bright: whether keys bound to a user create licenses',
      ).choices(['on', 'off']),
    )
    .handle(
      async ({ output, ask }, realmGuid: string, { compatibility, userLicenses }: Options) => {
        if (compatibility === undefined && userLicenses === undefined) {
          throw new UsageError('no setting is given: --compatibility or --user-licenses');
        }
        const changed = await ask((bus) =>
          bus.request(changeRealmCompatibility, {
            realmGuid,
            clients: compatibility ?? null,
            userLicenses: userLicenses === undefined ? null : userLicenses === 'on',
          }),
        );
        await output.record({
          realm_guid: realmGuid,
          compatibility: changed.compatibility?.clients ?? null,
          user_licenses: changed.compatibility?.userLicenses ?? false,
        });
      },
    );
}
