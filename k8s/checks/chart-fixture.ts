import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFiles } from '../chart/chart.ts';
import { type Manifest, nameOf } from './manifests.ts';

/** Writes the chart below a directory, where `npm run chart` would write it. */
export function writeChart(directory: string): void {
  for (const [path, text] of chartFiles()) {
    const file = join(directory, 'var', 'chart', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Runs a command of helm that reads values, without a cluster. */
export function helm(
  directory: string,
  command: readonly string[],
  values: object,
): SpawnSyncReturns<string> {
  const { PATH } = process.env;
  const [verb = '', ...options] = command;
  return spawnSync(
    'helm',
    [verb, 'registrar', join(directory, 'var', 'chart'), ...options, '--values', '-'],
    {
      input: JSON.stringify(values),
      encoding: 'utf8',
      env: { PATH, HOME: directory, HELM_KUBEAPISERVER: 'http://127.0.0.1:1' },
      maxBuffer: 2 ** 26,
    },
  );
}

/** Runs `helm template` with values. */
export const helmTemplate = (
  directory: string,
  namespace: string,
  values: object,
  ...options: string[]
): SpawnSyncReturns<string> =>
  helm(directory, ['template', '--namespace', namespace, ...options], values);

/** The objects in Helm's output, which Kubernetes reads as YAML 1.1. */
export const parseOutput = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Manifest);

/** Objects by kind and name. */
export const byName = (manifests: readonly Manifest[]) =>
  Object.fromEntries(manifests.map((each) => [nameOf(each), each]));

/** Whether an object is one of `helm test`. */
export const isHook = ({ metadata }: Manifest): boolean =>
  metadata.annotations?.['helm.sh/hook'] !== undefined;

/** An object without what the chart adds: a checksum of the settings, and the end of the Job's name. */
export function withoutMarks(manifest: Manifest): Manifest {
  if (manifest.kind === 'Job') manifest.metadata.name = 'migrate';
  if (manifest.kind === 'Deployment') {
    const { metadata } = (manifest as Manifest & IDeployment).spec!.template;
    delete metadata!.annotations;
  }
  return manifest;
}
