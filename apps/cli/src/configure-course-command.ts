import type { BusClient } from '@registrar/bus';
import {
  configureCourse,
  type CourseSetting,
  guid,
  readCourseSettings,
} from '@registrar/contracts';
import { InvalidArgumentError } from 'commander';
import { Readable } from 'node:stream';
import { argumentOf, idArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { reachOfRealm } from './find-realm.ts';
import type { Columns } from './output.ts';
import { UsageError } from './terminal.ts';

interface ConfigureOptions {
  readonly realm: string;
  readonly application?: number;
  readonly reset: readonly string[];
}

const columns: Columns<CourseSetting> = ['id', 'value', 'source'];

/** `registrar course configure`: the settings that the provider of a course keeps for it. */
export function addConfigureCourse(course: OperatorCommand): void {
  addCommand(course, 'configure', {
    description:
      'show the settings of a course at its provider, or change them; SOURCE is the level that sets a value',
    examples: [
      'course configure fire-safety --realm 3fe5e9b6-…',
      'course configure fire-safety PlayerLaunchType=NEW_WINDOW --realm 3fe5e9b6-…',
      'course configure fire-safety --reset PlayerLaunchType --realm 3fe5e9b6-…',
    ],
  })
    .argument('<guid>', 'the guid of the course', argumentOf(guid))
    .argument('[settings...]', 'settings with their values, such as PlayerLaunchType=NEW_WINDOW')
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option(
      '--application <id>',
      'the provider application, if several of the realm have the course',
      idArgument,
    )
    .option(
      '--reset <setting>',
      'let a setting have the value of the application, or the default; may be repeated',
      (id: string, others: readonly string[]) => [...others, settingName(id)],
      [] as readonly string[],
    )
    .handle(
      async (
        { output, ask },
        courseGuid: string,
        given: string[],
        { realm, application, reset }: ConfigureOptions,
      ) => {
        const set = settingsOf(given);
        const both = reset.find((id) => Object.hasOwn(set, id));
        if (both !== undefined) throw new UsageError(`${both} is named twice`);
        const isChange = given.length + reset.length > 0;
        const { settings } = await ask(async (bus) => {
          const course = { scope: await reachOf(bus, realm, application), courseGuid };
          return isChange
            ? bus.request(configureCourse, { ...course, set, removed: [...reset] })
            : bus.request(readCourseSettings, course);
        });
        const changed = new Set([...Object.keys(set), ...reset]);
        const shown = isChange ? settings.filter(({ id }) => changed.has(id)) : settings;
        await output.list(Readable.from([{ items: shown }]), columns);
      },
    );
}

/** What the realm's pair reaches, or that part of it which a provider application holds. */
async function reachOf(bus: BusClient, realm: string, application: number | undefined) {
  const scope = await reachOfRealm(bus, realm);
  if (application === undefined) return scope;
  return { ...scope, applicationIds: scope.applicationIds.filter((id) => id === application) };
}

/** @throws {UsageError} for an argument that is not a setting with a value, or a setting that is named twice */
function settingsOf(given: readonly string[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1)
      throw new UsageError(`${text} is not a setting with its value: write SETTING=VALUE`);
    const id = text.slice(0, at);
    if (id.endsWith('Password')) {
      throw new UsageError(
        `${id} is a secret, which others on the machine can read: set it with the API of the provider`,
      );
    }
    if (values.has(id)) throw new UsageError(`${id} is named twice`);
    values.set(id, text.slice(at + 1));
  }
  return Object.fromEntries(values);
}

function settingName(text: string): string {
  if (/^[A-Za-z]\w{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the name of a setting.');
}
