import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#libs/testing';
import * as z from 'zod';

type Labels = Readonly<Record<string, string>>;

const answered = z.object({ status: z.literal('success'), data: z.unknown() });
const labels = z.record(z.string(), z.string());
const vector = z.object({
  resultType: z.literal('vector'),
  result: z.array(z.object({ metric: labels, value: z.tuple([z.number(), z.string()]) })),
});
const firing = z.object({
  alerts: z.array(z.object({ labels, annotations: labels, state: z.string() })),
});

/** A series at one moment. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** An alert that fires, as it would be sent to whoever is called. */
export type Alert = z.output<typeof firing>['alerts'][number];

/**
 * Seconds between two scrapes, and how long one may take: longer than an app needs to find out that
 * its database does not answer.
 */
const scrapeInterval = 3;

/** A Prometheus of a suite's own. */
export class Prometheus {
  private constructor(
    private readonly server: ChildProcess,
    private readonly directory: string,
    private readonly url: string,
  ) {}

  /**
   * @param targets what it scrapes: URLs of management ports
   * @param labels what their series get besides their own labels
   * @param rules the content of a file of rules
   * @throws when it does not start
   */
  static async start(
    targets: readonly string[],
    labels: Labels,
    rules: object,
  ): Promise<Prometheus> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-prometheus-'));
    const inside = (name: string) => join(directory, name);
    const configuration = {
      global: {
        scrape_interval: `${scrapeInterval}s`,
        scrape_timeout: `${scrapeInterval}s`,
        evaluation_interval: '1s',
      },
      rule_files: [inside('rules.json')],
      scrape_configs: [
        {
          job_name: 'registrar',
          static_configs: [{ targets: targets.map((target) => new URL(target).host), labels }],
        },
      ],
    };
    await writeFile(inside('prometheus.json'), JSON.stringify(configuration));
    await writeFile(inside('rules.json'), JSON.stringify(rules));
    const port = await freePort();
    const output = openSync(inside('output.log'), 'a');
    const server = spawn(
      'prometheus',
      [
        `--config.file=${inside('prometheus.json')}`,
        `--storage.tsdb.path=${inside('data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ['ignore', output, output] },
    );
    const prometheus = new Prometheus(server, directory, `http://127.0.0.1:${port}`);
    try {
      await prometheus.#ready();
    } catch (error) {
      await prometheus.dispose();
      throw error;
    }
    return prometheus;
  }

  /** @throws when the expression is not valid */
  async query(expression: string, at?: number): Promise<Sample[]> {
    const parameters = new URLSearchParams({ query: expression });
    if (at !== undefined) parameters.set('time', String(at));
    const { result } = await this.#ask(vector, `query?${parameters.toString()}`);
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Resolves when the alert fires with these labels, among others. */
  async fires(name: string, wanted: Labels = {}): Promise<Alert> {
    for (;;) {
      const { alerts } = await this.#ask(firing, 'alerts');
      const found = alerts.find(({ labels }) =>
        Object.entries({ ...wanted, alertname: name }).every(
          ([label, value]) => labels[label] === value,
        ),
      );
      if (found?.state === 'firing') return found;
      await pause(100);
    }
  }

  /** Answers a time when every target has been scraped after `time`: seconds since the epoch. */
  async scrapedAfter(time: number): Promise<number> {
    for (;;) {
      const [oldest] = await this.query('min(timestamp(up))');
      if (oldest && oldest.value > time) return Date.now() / 1_000;
      await pause(100);
    }
  }

  async dispose(): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGTERM');
      await ended;
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  async #ask<Data>(data: z.ZodType<Data>, path: string): Promise<Data> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`Prometheus refuses ${path}: ${JSON.stringify(body)}`);
    return data.parse(answered.parse(body).data);
  }

  async #ready(): Promise<void> {
    for (;;) {
      if (this.server.exitCode !== null) {
        const words = await readFile(join(this.directory, 'output.log'), 'utf8');
        throw new Error(`Prometheus did not start: ${words.slice(-1_000)}`);
      }
      const isReady = await fetch(`${this.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await pause(50);
    }
  }
}
