import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);

const projectGraph = z.object({
  graph: z.object({
    nodes: z.record(z.string(), z.object({ data: z.object({ tags: z.array(z.string()) }) })),
    dependencies: z.record(z.string(), z.array(z.object({ target: z.string() }))),
  }),
});
const taskGraph = z.object({ tasks: z.object({ tasks: z.record(z.string(), z.unknown()) }) });

/** Runs Nx from the root of the workspace and returns what it prints. */
export async function nx(...parameters: string[]): Promise<string> {
  // Of the surrounding run, a task of Nx itself, nothing is passed on.
  const { PATH } = process.env;
  const env = {
    PATH,
    CI: 'true',
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    // One worker for each plugin takes as much processor time again.
    NX_ISOLATE_PLUGINS: 'false',
  };
  return (await run(process.execPath, ['node_modules/nx/dist/bin/nx.js', ...parameters], { env }))
    .stdout;
}

/** Runs a command of Nx that writes a graph to the file that `flag` names, and returns that graph. */
async function graphOf(flag: 'file' | 'graph', ...parameters: string[]): Promise<unknown> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-nx-'));
  try {
    const file = join(directory, 'graph.json');
    await nx(...parameters, `--${flag}=${file}`);
    return JSON.parse(await readFile(file, 'utf8'));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The projects with their tags, and for each the projects that it depends on. */
export async function readProjects() {
  const { graph } = projectGraph.parse(await graphOf('file', 'graph'));
  return Object.entries(graph.nodes).map(([name, { data }]) => ({
    name,
    tags: data.tags,
    uses: (graph.dependencies[name] ?? [])
      .map(({ target }) => target)
      .filter((target) => target in graph.nodes),
  }));
}

/** The tasks (`project:target`) that `nx affected` would run after a change of one file. */
export async function affectedTasks(file: string): Promise<string[]> {
  const targets = ['build', 'test'];
  const graph = await graphOf('graph', 'affected', '-t', ...targets, `--files=${file}`);
  return Object.keys(taskGraph.parse(graph).tasks.tasks);
}
