import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { programEnvironment } from './program-environment.ts';

/** Milliseconds before a program is restarted that ended before it was ready. */
const restartDelayMs = 200;

/** Number of programs in a row that may end before they are ready: more do not start at all. */
const maxFailedStarts = 60;

interface Program {
  /** File that Node runs. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** File that receives the program's output. */
  readonly logFile: string;
}

/**
 * A Node program in a process of its own, restarted whenever it ends, as by a supervisor. A suite
 * may kill, freeze and replace it. The program reports over IPC when it is ready.
 */
export class SupervisedProcess {
  /** The program writes into the file itself: through a pipe it would wait for this process. */
  readonly #log: number;
  #entry: string;
  #child: ChildProcess | null = null;
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #stopped = false;
  #failedStarts = 0;
  #held: PromiseWithResolvers<void> | null = null;
  readonly #crashes: string[] = [];
  #ended: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: string,
    private readonly program: Program,
  ) {
    this.#entry = program.entry;
    this.#log = openSync(program.logFile, 'a');
  }

  /** Starts the program and waits until it is ready for the first time. */
  static async start(name: string, program: Program): Promise<SupervisedProcess> {
    const supervised = new SupervisedProcess(name, program);
    supervised.#ended = supervised.#supervise();
    await supervised.ready();
    return supervised;
  }

  /**
   * Resolves when the running process, or its successor, is ready.
   *
   * @throws {Error} when programs end before they are ready, again and again
   */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The id of the running process; null while none runs. */
  get id(): number | null {
    return this.#child?.pid ?? null;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** What ended the process unexpectedly: an uncaught error, or the lack of memory. */
  get crashes(): readonly string[] {
    return this.#crashes;
  }

  /** Sends SIGKILL: the process ends at whatever it is doing. */
  kill(): void {
    this.#awaitNext();
    this.#child?.kill('SIGKILL');
  }

  /**
   * Sends SIGTERM, and returns the exit code once a successor has been started.
   *
   * @param entry file that Node runs from now on, to start another version
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

  /** Ends the process with SIGTERM, and starts no successor until {@link release}. */
  async hold(): Promise<void> {
    this.#held = Promise.withResolvers();
    await this.replace();
  }

  /** Starts a successor of a held process. */
  release(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  /** Sends SIGSTOP: the process stops and keeps its connections. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** Sends SIGCONT: a frozen process continues. */
  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends the process with SIGTERM for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.release();
    this.resume();
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
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      const isCrash = signal === 'SIGABRT' || (this.#isReady && code !== 0 && code !== null);
      if (isCrash) this.#crashes.push(`${this.name} ended with ${signal ?? `exit code ${code}`}`);
      this.#child = null;
      await this.#held?.promise;
      if (!this.#isReady && !this.#stopped) await this.#delayRestart();
      this.#awaitNext();
    }
    closeSync(this.#log);
  }

  async #delayRestart(): Promise<void> {
    this.#failedStarts += 1;
    if (this.#failedStarts === maxFailedStarts) {
      const message = `${this.name} has failed to start ${maxFailedStarts} times: ${this.program.logFile}`;
      // Nobody may wait for it.
      this.#ready.promise.catch(() => undefined);
      this.#ready.reject(new Error(message));
    }
    await pause(restartDelayMs);
  }

  #start(): ChildProcess {
    const child = fork(this.#entry, {
      env: {
        ...programEnvironment(),
        NODE_ENV: 'test',
        ...this.program.environment,
      },
      execArgv: ['--max-semi-space-size=16'],
      stdio: ['ignore', this.#log, this.#log, 'ipc'],
    });
    child.once('message', () => {
      if (this.#child !== child) return;
      this.#isReady = true;
      this.#failedStarts = 0;
      this.#ready.resolve();
    });
    this.#child = child;
    return child;
  }
}
