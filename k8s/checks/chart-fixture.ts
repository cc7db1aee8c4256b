import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { afterAll, beforeAll } from 'vitest';
import { both, findPrograms } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFiles } from '../chart/chart.ts';
import { findKustomize, type Manifest, nameOf } from './manifests.ts';

/**
 * Describes checks of the chart, which need Helm and Kustomize.
 *
 * @param checks gets the directory below which the chart is, once its tests run
 */
export const describeChart = (title: string, checks: (directory: () => string) => void): void =>
  describeWith(both(findKustomize(), findPrograms('helm')), title, () => {
    let directory = '';
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'registrar-chart-'));
      writeChart(directory);
    });
    afterAll(() => rmSync(directory, { recursive: true }));
    checks(() => directory);
  });

/** Writes the chart below a directory, where `npm run chart` would write it. */
function writeChart(directory: string): void {
  for (const [path, text] of chartFiles()) {
    const file = join(directory, 'var', 'chart', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The environment of Helm, in which no cluster answers. */
export const helmEnvironment = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: directory,
  HELM_KUBEAPISERVER: 'http://127.0.0.1:1',
});

/** Runs a command of helm that reads values, without a cluster. */
export function helm(
  directory: string,
  command: readonly string[],
  values: object,
): SpawnSyncReturns<string> {
  const [verb = '', ...options] = command;
  return spawnSync(
    'helm',
    [verb, 'registrar', join(directory, 'var', 'chart'), ...options, '--values', '-'],
    {
      input: JSON.stringify(values),
      encoding: 'utf8',
      env: helmEnvironment(directory),
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
