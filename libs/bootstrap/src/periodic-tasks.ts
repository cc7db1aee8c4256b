import { Failure } from '@registrar/contracts';
import {
  activity,
  appLogger,
  endsWithin,
  inSpan,
  logFailedWork,
  type Logger,
  periodicTaskOptions,
  type PeriodicTaskOptions,
  runWithin,
} from '@registrar/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { OnAppStart } from './on-app-start.ts';

/** The longest pause after a round that failed: milliseconds. */
const retryPauseMs = 5_000;

/** How long running rounds may continue when the process stops: milliseconds. Longer ones are abandoned; their work stays due. */
const drainTimeoutMs = 5_000;

interface Task extends PeriodicTaskOptions {
  readonly run: () => Promise<boolean | number | void>;
}

/**
 * Runs the methods that are decorated with `@PeriodicTask`. The pauses between rounds are timeouts of
 * Nest's `SchedulerRegistry`, under the names of the tasks.
 *
 * Unlike Nest's `@Interval`, rounds never overlap and have a deadline and a request context; one that
 * leaves work is followed by the next at once, one that failed after 5 s at most; and a shutdown waits for the
 * running ones, 5 s at most.
 */
@Injectable()
export class PeriodicTasks implements OnAppStart, BeforeApplicationShutdown {
  readonly #rounds = new Map<string, Promise<void>>();
  #stopListening: () => void = () => undefined;
  #isStopping = false;

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(SchedulerRegistry) private readonly schedule: SchedulerRegistry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onAppStart(): void {
    const tasks = new Map<string, Task>();
    for (const task of this.#find()) {
      if (tasks.has(task.name)) throw new Error(`two periodic tasks are named '${task.name}'`);
      tasks.set(task.name, task);
    }
    for (const task of tasks.values()) this.#begin(task);
    this.#stopListening = activity.onBegin(() => {
      for (const task of tasks.values()) this.#endRest(task);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /**
   * Begins no more rounds, and resolves when the running ones have ended or the time for that is over: one may wait for
   * an app that stops too, until its deadline.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    for (const name of this.schedule.getTimeouts()) this.schedule.deleteTimeout(name);
    await endsWithin(Promise.all(this.#rounds.values()), drainTimeoutMs);
  }

  *#find(): Iterable<Task> {
    const scanner = new MetadataScanner();
    const { discovery } = this;
    for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
      const instance = wrapper.instance as Record<string, Task['run']> | null | undefined;
      if (wrapper.isAlias || typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, Task['run']> | null;
      if (!prototype) continue;
      for (const key of scanner.getAllMethodNames(prototype)) {
        const method = prototype[key];
        const options = method && periodicTaskOptions(method);
        if (options) yield { ...options, run: () => method.call(instance) };
      }
    }
  }

  #begin(task: Task): void {
    if (this.#isStopping) return;
    const round = this.#round(task).then((pauseMs) => {
      this.#rounds.delete(task.name);
      if (pauseMs === 0) this.#begin(task);
      else this.#beginAfter(task, pauseMs);
    });
    this.#rounds.set(task.name, round);
  }

  #beginAfter(task: Task, pauseMs: number): void {
    if (this.#isStopping) return;
    const timeout = setTimeout(() => {
      this.schedule.deleteTimeout(task.name);
      this.#begin(task);
    }, pauseMs);
    this.schedule.addTimeout(task.name, timeout);
  }

  /** Begins a task at once that waits for the longer pause. */
  #endRest(task: Task): void {
    if (task.restMs === undefined || !this.schedule.doesExist('timeout', task.name)) return;
    this.schedule.deleteTimeout(task.name);
    this.#begin(task);
  }

  /** Runs a round and resolves with the pause before the next: milliseconds. */
  #round({ name, everyMs, restMs = everyMs, timeoutMs, run }: Task): Promise<number> {
    return runWithin(timeoutMs, async () => {
      try {
        const more = await inSpan({ name, kind: 'internal', cause: 'nowhere' }, async () => run());
        if (more) activity.note();
        return more ? 0 : activity.pauseMs({ everyMs, restMs });
      } catch (error) {
        const { code } = Failure.from(error);
        const pauseMs = Math.min(everyMs, retryPauseMs);
        const fields = { work: name, code, again_in_ms: pauseMs };
        logFailedWork(this.logger, error, fields, 'a periodic task failed and will be repeated');
        return pauseMs;
      }
    });
  }
}
