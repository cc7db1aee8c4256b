import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends the output of each block; the exit code follows it. */
const endOfOutput = new RegExp(`${String.fromCharCode(0o36)}(\\d+)\\n$`);

/** A POSIX shell that runs blocks of commands one after the other, as a reader pastes them. */
export class ShellSession {
  private readonly shell: ChildProcess;
  private output = '';
  private errors = '';
  private notify: () => void = () => undefined;

  constructor(directory: string, environment: NodeJS.ProcessEnv) {
    // Detached from the terminal, so that programs read passwords from their standard input.
    this.shell = spawn('sh', ['-eu'], { cwd: directory, env: environment, detached: true });
    this.shell.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8');
      this.notify();
    });
    this.shell.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString('utf8');
    });
    this.shell.once('close', () => this.notify());
    // A write after the end of the shell; its exit code has the reason.
    this.shell.stdin?.on('error', () => this.notify());
  }

  /**
   * Runs commands and returns what they print.
   *
   * @throws {Error} with the standard error of the session when a command fails
   */
  async run(commands: string): Promise<string> {
    return (await this.write(`${commands}\nprintf '\\036%s\\n' 0\n`, commands)).output;
  }

  /**
   * Runs a command, and returns its standard output and standard error together, and its exit code.
   *
   * @param input the command's standard input, without the line `INPUT`
   */
  attempt(command: string, input = ''): Promise<{ output: string; code: number }> {
    const script = `code=0\n{ ${command}\n} 2>&1 <<'INPUT' || code=$?\n${input}INPUT\n`;
    return this.write(`${script}printf '\\036%s\\n' $code\n`, command);
  }

  async close(): Promise<void> {
    if (this.shell.exitCode !== null) return;
    const closed = once(this.shell, 'close');
    this.shell.stdin?.end();
    await closed;
  }

  private write(script: string, commands: string): Promise<{ output: string; code: number }> {
    this.output = '';
    const ended = new Promise<{ output: string; code: number }>((resolve, reject) => {
      this.notify = () => {
        const end = endOfOutput.exec(this.output);
        if (end) resolve({ output: this.output.slice(0, end.index), code: Number(end[1]) });
        else if (this.shell.exitCode !== null)
          reject(new Error(`a command failed:\n${commands}\n${this.output}${this.errors}`));
      };
      this.notify();
    });
    this.shell.stdin?.write(script);
    return ended;
  }
}
