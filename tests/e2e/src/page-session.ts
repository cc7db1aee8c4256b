import { type DocumentedCommand, eventually } from '@registrar/testing';
import { ShellSession } from './shell-session.ts';
import { compareOutput } from './transcript.ts';

/** A text of the pages, and what stands for it in this run. */
export type Replacement = readonly [documented: string, actual: string];

/**
 * Runs the commands of pages as printed, with two kinds of replacements: the given addresses, and names such
 * as GUIDs and keys, for which the pages show those of another installation. Once a command has printed a name
 * in the place where its page shows one, the printed name stands for the shown one in later commands.
 */
export class PageSession {
  private readonly learnt = new Map<string, string>();
  private readonly shell: ShellSession;

  constructor(
    directory: string,
    environment: NodeJS.ProcessEnv,
    private readonly replacements: readonly Replacement[],
  ) {
    this.shell = new ShellSession(directory, environment);
  }

  /** Returns what stands for a name that a page shows. */
  actual(shown: string): string {
    const found = this.learnt.get(shown);
    if (found === undefined) throw new Error(`no command has printed a name for ${shown}`);
    return found;
  }

  /**
   * Runs a command and compares its output with that of its page. A request that only reads is repeated until
   * both agree, because crawls take time.
   *
   * @throws {Error} when the command fails although its page shows no error, or its output differs
   */
  async run({ text, output: shown }: DocumentedCommand, input = ''): Promise<string> {
    const replacements = [...this.replacements, ...this.learnt];
    const command = replaced(text, replacements);
    const attempt = async () => {
      const { output, code } = await this.shell.attempt(command, input);
      const printed = replaced(
        output,
        this.replacements.map(([documented, actual]) => [actual, documented]),
      );
      const fails = /^registrar: /m.test(shown ?? '');
      if ((code !== 0) !== fails) throw new Error(`exit code ${code} of ${command}:\n${output}`);
      if (shown) for (const pair of compareOutput(shown, printed)) this.learnt.set(...pair);
      return printed;
    };
    const reads = /^curl -s "[^"]*"$/.test(text);
    return reads
      ? eventually('the output is that of the page', async () => [await attempt()]).then(
          ([printed = '']) => printed,
        )
      : attempt();
  }

  close(): Promise<void> {
    return this.shell.close();
  }
}

const replaced = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
