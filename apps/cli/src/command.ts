import type { BusClient } from '@registrar/bus';
import type { ListContract } from '@registrar/contracts';
import { Command } from 'commander';
import type * as z from 'zod';
import { withInstallation } from './installation.ts';
import { type Columns, Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command has at hand when it is called. */
export interface Call {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Whether `--json` was given. */
  readonly json: boolean;
  /** Runs work on the bus of the installation ({@link withInstallation}). */
  readonly ask: <T>(work: (bus: BusClient) => Promise<T>, timeoutMs?: number) => Promise<T>;
  /** Prints a list of the installation; for people all fields of its items, unless columns are given. */
  readonly list: <Input extends z.ZodObject, Item extends z.ZodObject>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    columns?: Columns<z.output<Item>>,
  ) => Promise<void>;
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
      const output = new Output(terminal, json);
      const ask: Call['ask'] = (asked, timeoutMs) => withInstallation(terminal, asked, timeoutMs);
      const list: Call['list'] = (contract, input, columns = Object.keys(contract.item.shape)) =>
        ask((bus) => output.list(bus.pages(contract, input), columns));
      const call: Call = { terminal, output, json, ask, list };
      const given: unknown[] = [...(this.processedArgs as unknown[]), options];
      await work(call, ...(given as Given));
    });
  }
}

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
