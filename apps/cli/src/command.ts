import type { BusClient } from '@registrar/bus';
import { Command } from 'commander';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command has at hand when it is called. */
export interface Call {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Whether `--json` was given. */
  readonly json: boolean;
  /** Runs work on the bus of the installation ({@link withInstallation}). */
  readonly ask: <T>(work: (bus: BusClient) => Promise<T>, timeoutMs?: number) => Promise<T>;
}

/** A command of the operator's command line, or a group of commands. */
export class OperatorCommand extends Command {
  constructor(
    private readonly terminal: Terminal,
    name?: string,
  ) {
    super(name);
  }

  override createCommand(name?: string): OperatorCommand {
    return new OperatorCommand(this.terminal, name);
  }

  /** Sets what the command does with its arguments and its options, among which `--json` is not. */
  handle<Given extends unknown[]>(work: (call: Call, ...given: Given) => Promise<unknown>): this {
    return this.action(async () => {
      const { terminal } = this;
      const { json = false, ...options } = this.opts<{ json?: boolean }>();
      const call: Call = {
        terminal,
        output: new Output(terminal, json),
        json,
        ask: (asked, timeoutMs) => withInstallation(terminal, asked, timeoutMs),
      };
      const given: unknown[] = [...(this.processedArgs as unknown[]), options];
      await work(call, ...(given as Given));
    });
  }
}

/** A group of commands about one kind of thing, such as `registrar realm`. */
export const addGroup = (
  program: OperatorCommand,
  name: string,
  description: string,
): OperatorCommand => program.command(name).description(description);

/**
 * A command, with what all of them have: `--json`, and examples in its help.
 *
 * @param signature its name and arguments, in commander's form
 */
export const addCommand = (
  group: OperatorCommand,
  signature: string,
  about: { readonly description: string; readonly examples: readonly string[] },
): OperatorCommand =>
  group
    .command(signature)
    .description(about.description)
    .option('--json', 'answer in JSON, for programs')
    .addHelpText(
      'after',
      `\nExamples:\n${about.examples.map((example) => `  $ registrar ${example}`).join('\n')}`,
    );
