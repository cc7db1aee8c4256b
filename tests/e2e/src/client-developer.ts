import { Installation } from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';
import { ProgramDirectory } from './program-directory.ts';

/** A developer of clients: a directory of programs, and the variables that they read. */
export class ClientDeveloper {
  private constructor(
    readonly on: Installation,
    private readonly key: string,
    readonly directory: ProgramDirectory,
  ) {}

  /** Creates an API key of the realm, and an empty directory. */
  static async create({ quickstart }: RunningSystem): Promise<ClientDeveloper> {
    const on = new Installation(quickstart);
    const key = String((await on.realmKey())['api_key']);
    return new ClientDeveloper(on, key, await ProgramDirectory.create());
  }

  /**
   * Runs a program in the directory, with an installation's address, credentials and unused names in variables.
   *
   * @throws {Error} with the whole output, when it fails
   */
  run(program: string, words: readonly string[]): Promise<string> {
    return this.directory.run(program, words, {
      API: this.on.facts.base_url,
      KEY: this.key,
      LEARNER: this.on.learner(),
      NAME: this.on.unique('client'),
      COURSE: this.on.unique('course'),
      REALM_GUID: this.on.facts.realm_guid,
      REALM_SECRET_KEY: this.on.facts.realm_secret_key,
    });
  }
}
