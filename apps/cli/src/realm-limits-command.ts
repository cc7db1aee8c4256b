import {
  changeRealmLimits,
  findRealmLimits,
  guid,
  type RealmLimits,
  realmLimits,
} from '@registrar/contracts';
import { argumentOf, numberArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';

/** What each limit is called as an option, in the order in which they are shown. */
const limits: Readonly<Record<keyof RealmLimits, { option: string; description: string }>> = {
  requestsPerSecond: { option: 'requests-per-second', description: 'requests per second' },
  requestsPerSecondOfKey: {
    option: 'key-requests-per-second',
    description: 'requests per second of each API key and provider pair',
  },
  requestsInHand: { option: 'requests-in-hand', description: 'requests worked on at a time' },
  weight: { option: 'weight', description: 'its part of a loaded system; others have 1' },
  queryRows: { option: 'query-rows', description: 'rows of the query results that are kept' },
  queryMegabytes: { option: 'query-megabytes', description: 'MiB of these results' },
  uploads: { option: 'uploads', description: 'packages that wait for their import' },
  uploadMegabytes: { option: 'upload-megabytes', description: 'MiB of these packages' },
};

const names = Object.keys(limits) as (keyof RealmLimits)[];

type Options = RealmLimits & { default?: boolean };

/** `registrar realm limits`: what one realm may use of the installation. */
export function addRealmLimitsCommand(realm: OperatorCommand): void {
  const command = addCommand(realm, 'limits', {
    description: 'show what a realm may use, and set its own limits',
    examples: [
      'realm limits 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10',
      'realm limits 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --requests-per-second 200 --weight 2',
      'realm limits 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10 --default',
    ],
  }).argument('<guid>', 'the guid of the realm', argumentOf(guid));
  for (const name of names) {
    const { option, description } = limits[name];
    const given = command.createOption(`--${option} <number>`, description);
    given.attributeName = () => name;
    command.addOption(given.argParser(numberArgument(realmLimits.shape[name].unwrap())));
  }
  command
    .option('--default', 'give all other limits their defaults again')
    .handle(
      async (
        { output, ask },
        realmGuid: string,
        { default: reset = false, ...changes }: Options,
      ) => {
        const isChange = reset || Object.keys(changes).length > 0;
        const { limits: own } = await ask((bus) =>
          isChange
            ? bus.request(changeRealmLimits, { realmGuid, changes, fromDefaults: reset })
            : bus.request(findRealmLimits, { realmGuid }),
        );
        await output.record(
          Object.fromEntries(
            names.map((name) => [limits[name].option.replaceAll('-', '_'), own[name] ?? null]),
          ),
        );
        output.note('A hyphen stands for the default of the installation.');
      },
    );
}
