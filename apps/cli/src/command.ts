import type { Command } from 'commander';

/** A group of commands about one kind of thing, such as `registrar realm`. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

/**
 * A command, with what all of them have: `--json`, and examples in its help.
 *
 * @param signature its name and arguments, in commander's form
 */
export const addCommand = (
  group: Command,
  signature: string,
  about: { readonly description: string; readonly examples: readonly string[] },
): Command =>
  group
    .command(signature)
    .description(about.description)
    .option('--json', 'answer in JSON, for programs')
    .addHelpText(
      'after',
      `\nExamples:\n${about.examples.map((example) => `  $ registrar ${example}`).join('\n')}`,
    );
