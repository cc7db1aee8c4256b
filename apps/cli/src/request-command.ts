import { logFilesOf, readSettings } from '@registrar/platform';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { argumentOf } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import type { Columns } from './output.ts';
import { installationSettings } from './settings.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** How many lines of one request are printed. */
const maxLines = 1_000;

const requestId = argumentOf(
  z.string().regex(/^[\w.-]{1,64}$/, 'It is not a request id, as X-Request-Id has it.'),
);

/** A line of the log of an app. */
const logLine = z.looseObject({
  time: z.string(),
  level: z.string(),
  app: z.string(),
  msg: z.string(),
  request_id: z.string(),
  operation: z.string().nullish(),
  status: z.number().optional(),
  account: z.string().optional(),
  client_address: z.string().optional(),
  reason: z.string().optional(),
});
type LogLine = z.infer<typeof logLine>;

const columns: Columns<LogLine> = {
  time: (line) => line.time,
  app: (line) => line.app,
  status: (line) => line.status,
  operation: (line) => line.operation,
  account: (line) => line.account,
  address: (line) => line.client_address,
  reason: (line) => line.reason ?? line.msg,
};

/** `registrar request`: the log lines of a request. */
export function addRequestCommand(program: OperatorCommand): void {
  addCommand(program, 'request', {
    description: 'find what the log has of a request: when, by whom, which operation and reason',
    examples: ['request 87e66d94-91bb-441e-9993-0ba65e95cf83', 'request my-request-17 gateway.log'],
  })
    .argument('<id>', 'the X-Request-Id of the response', requestId)
    .argument('[files...]', 'logs, or - for standard input (default: that of npm start)')
    .handle(async ({ terminal, output }, id: string, files: string[]) => {
      const found: LogLine[] = [];
      for (const source of sourcesOf(files, terminal)) {
        for await (const line of linesOf(source, id)) if (found.length < maxLines) found.push(line);
      }
      if (found.length === 0) {
        throw new Error(
          `the log has no line of the request ${id}: it is older than the log, or was over a limit and only counted`,
        );
      }
      await output.lines(Readable.from([{ items: found }]), columns);
    });
}

/** @throws {UsageError} without a log that could be read */
function sourcesOf(files: readonly string[], terminal: Terminal): Readable[] {
  const { AMQP_URL, DATA_DIR } = readSettings(installationSettings, terminal.environment);
  if (files.length === 0 && AMQP_URL) {
    throw new UsageError(
      'the apps log to standard output: give their logs as files, or - for standard input',
    );
  }
  const own = logFilesOf(join(DATA_DIR, 'registrar.log')).filter((path) => existsSync(path));
  const paths = files.length > 0 ? files : own;
  if (paths.length === 0) throw new UsageError(`DATA_DIR=${DATA_DIR} has no registrar.log`);
  const missing = paths.find((path) => path !== '-' && !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no file ${missing}`);
  return paths.map((path) => (path === '-' ? terminal.stdin : createReadStream(path)));
}

/** The lines of a request in a log. What a collector writes before a line is ignored. */
async function* linesOf(source: Readable, id: string): AsyncGenerator<LogLine> {
  for await (const text of createInterface({ input: source, crlfDelay: Infinity })) {
    if (!text.includes(id)) continue;
    const line = parsed(text.slice(text.indexOf('{')));
    if (line?.request_id === id) yield line;
  }
}

function parsed(text: string): LogLine | undefined {
  try {
    return logLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
