/**
 * Builds the repository, then runs one of its programs: `node run-built.js PROGRAM [ARGUMENTS…]`, for npm's scripts.
 *
 * npm passes SIGTERM to its child alone: the scripts `exec` this program in place of their shell, and it runs the
 * other one in its own process, so that the signal arrives. The output of the build is printed only if it fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';

/** A build that takes longer than this is announced: milliseconds. */
const silentMs = 2_000;

const stopSignals = ['SIGINT', 'SIGTERM'];

/** Ends this process with the exit code of `npm run build` if that fails. */
async function build() {
  const npm = process.env.npm_execpath;
  if (!npm) throw new Error('run-built.js is for the scripts of package.json: use npm start');
  const child = spawn(process.execPath, [npm, 'run', '--silent', 'build'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
  const stop = (signal) => {
    child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of stopSignals) process.once(signal, stop);
  const notice = setTimeout(() => process.stderr.write('Building…\n'), silentMs);
  const [code] = await once(child, 'close');
  clearTimeout(notice);
  for (const signal of stopSignals) process.off(signal, stop);
  if (code === 0) return;
  for (const part of output) process.stderr.write(part);
  process.exit(code ?? 1);
}

await build();

const [node, , program, ...words] = process.argv;
const file = resolve(program);
process.argv = [node, file, ...words];
await import(pathToFileURL(file).href);
