/** A command of a terminal's transcript, with the output that the transcript shows. */
export interface TranscribedCommand {
  readonly text: string;
  readonly output: string;
}

/**
 * Splits a shell script into its commands, each with its continuation lines.
 *
 * @throws {Error} when the last command is incomplete
 */
export function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let command = '';
  for (const line of script.split('\n')) {
    command = command === '' ? line : `${command}\n${line}`;
    if (!isComplete(command)) continue;
    if (command.trim() !== '') commands.push(command);
    command = '';
  }
  if (command !== '') throw new Error(`a command is incomplete: ${command}`);
  return commands;
}

/** Reads a terminal's transcript: commands behind `$`, and their output. */
export function readTranscript(transcript: string): TranscribedCommand[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of transcript.split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
    else if (!last) throw new Error(`a transcript begins without a command: ${line}`);
    else if (isComplete(last.text)) last.output.push(line);
    else last.text += `\n${line}`;
  }
  return commands.map(({ text, output }) => ({ text, output: output.join('\n').trimEnd() }));
}

/** Whether a shell would run the text without waiting for more lines. */
function isComplete(text: string): boolean {
  const [, delimiter] = /<<-?'?(\w+)/.exec(text) ?? [];
  if (delimiter) return new RegExp(`\n${delimiter}$`).test(text);
  const unquoted = text
    .replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|(?<=^|\s)#.*$/gm, (part) => (part[0] === '#' ? '' : 'x'))
    .trimEnd();
  const count = (form: RegExp) => unquoted.match(form)?.length ?? 0;
  return (
    !/['"]|(?:\\|\||&&)$/.test(unquoted) &&
    count(/\(/g) === count(/\)/g) &&
    count(/\bdo\b/g) === count(/\bdone\b/g)
  );
}
