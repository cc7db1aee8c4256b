import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const endOfOutput = '\u001e';

/** A POSIX shell that runs blocks of commands one after the other, as a reader pastes them. */
export class ShellSession {
  private readonly shell: ChildProcess;
  private output = '';
  private errors = '';
  private notify: () => void = () => undefined;

  constructor(directory: string, environment: Record<string, string>) {
    this.shell = spawn('sh', ['-eu'], { cwd: directory, env: environment });
    this.shell.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8');
      this.notify();
    });
    this.shell.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString('utf8');
    });
    this.shell.once('close', () => this.notify());
    // A write after the end of the shell; its exit code tells why it ended.
    this.shell.stdin?.on('error', () => this.notify());
  }

  /**
   * Runs commands and returns what they print.
   *
   * @throws {Error} with the standard error of the session when a command fails
   */
  async run(commands: string): Promise<string> {
    this.output = '';
    const printed = new Promise<void>((resolve, reject) => {
      this.notify = () => {
        if (this.output.endsWith(endOfOutput)) resolve();
        else if (this.shell.exitCode !== null)
          reject(new Error(`a command failed:\n${commands}\n${this.output}${this.errors}`));
      };
      this.notify();
    });
    this.shell.stdin?.write(`${commands}\nprintf '\\036'\n`);
    await printed;
    return this.output.slice(0, -endOfOutput.length);
  }

  async close(): Promise<void> {
    if (this.shell.exitCode !== null) return;
    const closed = once(this.shell, 'close');
    this.shell.stdin?.end();
    await closed;
  }
}
