import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait before a program is started again that did not even get ready: milliseconds. */
const startPause = 200;

interface Program {
  /** The file that Node runs. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where everything goes that it prints. */
  readonly logFile: string;
}

/**
 * A program in a process of its own that a suite can kill and freeze. It tells over IPC when it is
 * ready (`runProcess` does), and is started again at once whenever it ends, as by a supervisor.
 */
export class SupervisedProcess {
  readonly #log: WriteStream;
  #entry: string;
  #child: ChildProcess | null = null;
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #stopped = false;
  #ended: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: string,
    private readonly program: Program,
  ) {
    this.#entry = program.entry;
    this.#log = createWriteStream(program.logFile, { flags: 'a' });
  }

  /** Resolves when it is ready for the first time. */
  static async start(name: string, program: Program): Promise<SupervisedProcess> {
    const supervised = new SupervisedProcess(name, program);
    supervised.#ended = supervised.#supervise();
    await supervised.ready();
    return supervised;
  }

  /** Resolves when the process that runs, or the one that takes its place, is ready. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** SIGKILL: it ends in the middle of what it does. */
  kill(): void {
    this.#awaitNext();
    this.#child?.kill('SIGKILL');
  }

  /**
   * SIGTERM: resolves with its exit code when another takes its place.
   *
   * @param entry the file that Node runs from now on, where that is a new version's
   */
  async replace(entry = this.#entry): Promise<number | null> {
    this.#entry = entry;
    const child = this.#child;
    this.#awaitNext();
    if (!child) return null;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** SIGSTOP: it stands still and keeps its connections. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** SIGCONT: it goes on as if no time had passed. */
  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it for good, in order. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.thaw();
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  #awaitNext(): void {
    if (!this.#isReady) return;
    this.#isReady = false;
    this.#ready = Promise.withResolvers();
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      const child = this.#start();
      await once(child, 'exit');
      this.#child = null;
      if (!this.#isReady && !this.#stopped) await pause(startPause);
      this.#awaitNext();
    }
    this.#log.end();
  }

  #start(): ChildProcess {
    const child = fork(this.#entry, {
      env: { PATH: process.env['PATH'], ...this.program.environment },
      execArgv: ['--enable-source-maps', '--max-semi-space-size=4'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stdout?.pipe(this.#log, { end: false });
    child.stderr?.pipe(this.#log, { end: false });
    child.once('message', () => {
      if (this.#child !== child) return;
      this.#isReady = true;
      this.#ready.resolve();
    });
    this.#child = child;
    return child;
  }
}
