import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

type Labels = Readonly<Record<string, string>>;

const successResponse = z.object({ status: z.literal('success'), data: z.unknown() });
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

/** A firing alert, as Prometheus sends it to Alertmanager. */
export type Alert = z.output<typeof firing>['alerts'][number];

/**
 * Interval and timeout of a scrape in seconds, by default: longer than an app needs to detect that its database
 * does not respond.
 */
const defaultScrapeSeconds = 3;

/** A target whose series get labels of their own. */
interface ScrapeTarget {
  readonly url: string;
  readonly labels: Labels;
}

function staticConfigOf(target: string | ScrapeTarget, labels: Labels) {
  const { url, labels: own } = typeof target === 'string' ? { url: target, labels: {} } : target;
  const { host, pathname, searchParams } = new URL(url);
  const path = pathname === '/' ? {} : { __metrics_path__: pathname };
  const parameters: Labels = Object.fromEntries(
    [...searchParams].map(([name, value]) => [`__param_${name}`, value]),
  );
  return {
    targets: [host],
    labels: { ...labels, ...own, ...path, ...parameters },
  };
}

/** A Prometheus server that a suite starts for itself. */
export class Prometheus {
  private constructor(
    private readonly server: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  /**
   * @param targets what to scrape: URLs, whose path is `/metrics` by default
   * @param labels labels that are added to every series
   * @param rules content of the rules file
   * @param scrapeSeconds interval and timeout of a scrape
   * @throws when it does not start
   */
  static async start(
    targets: readonly (string | ScrapeTarget)[],
    labels: Labels,
    rules: object,
    scrapeSeconds = defaultScrapeSeconds,
  ): Promise<Prometheus> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-prometheus-'));
    const inside = (name: string) => join(directory, name);
    const configuration = {
      global: {
        scrape_interval: `${scrapeSeconds}s`,
        scrape_timeout: `${scrapeSeconds}s`,
        evaluation_interval: '1s',
      },
      rule_files: [inside('rules.json')],
      scrape_configs: [
        {
          job_name: 'registrar',
          static_configs: targets.map((target) => staticConfigOf(target, labels)),
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
      await prometheus.#waitUntilReady();
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
    const { result } = await this.#get(vector, `query?${parameters.toString()}`);
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Waits until the alert fires with at least these labels. */
  async waitForAlert(name: string, wanted: Labels = {}): Promise<Alert> {
    return eventually(
      `${name} fires with ${JSON.stringify(wanted)}`,
      async () => {
        const { alerts } = await this.#get(firing, 'alerts');
        const found = alerts.find(({ labels }) =>
          Object.entries({ ...wanted, alertname: name }).every(
            ([label, value]) => labels[label] === value,
          ),
        );
        return found?.state === 'firing' && found;
      },
      { intervalMs: 100 },
    );
  }

  /** Waits until every target was scraped after `time`; returns the time then. Times are seconds since the epoch. */
  async waitForScrape(time: number): Promise<number> {
    await eventually(
      'every target has been scraped',
      async () => {
        const [oldest] = await this.query('min(timestamp(up))');
        return oldest !== undefined && oldest.value > time;
      },
      { intervalMs: 100 },
    );
    return Date.now() / 1_000;
  }

  async dispose(): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGTERM');
      await ended;
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  async #get<Data>(data: z.ZodType<Data>, path: string): Promise<Data> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`Prometheus rejects ${path}: ${JSON.stringify(body)}`);
    return data.parse(successResponse.parse(body).data);
  }

  async #waitUntilReady(): Promise<void> {
    await eventually(
      'Prometheus is ready or has exited',
      async () => {
        return this.server.exitCode !== null || (await fetch(`${this.url}/-/ready`)).ok;
      },
      { intervalMs: 50 },
    );
    if (this.server.exitCode === null) return;
    const output = await readFile(join(this.directory, 'output.log'), 'utf8');
    throw new Error(`Prometheus did not start: ${output.slice(-1_000)}`);
  }
}
