import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { missing } from '#libs/testing';
import { parseAllDocuments, parseDocument } from 'yaml';
import * as z from 'zod';

const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
});

/** An object of a cluster, as it is applied. */
export type Manifest = z.output<typeof manifest>;

/** The overlays and components of this folder, by their paths from the repository on. */
export const overlays = foldersOf('k8s/overlays');
export const components = foldersOf('k8s/components');

function foldersOf(folder: string): string[] {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}

/** The objects that `kubectl kustomize` makes of a folder. */
export function render(folder: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));
}

/** The objects that an overlay makes that takes one more component, listed as its last. */
export function renderWith(component: string, overlay: string): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'registrar-overlay-'));
  try {
    cpSync('k8s', join(copy, 'k8s'), { recursive: true });
    const file = join(copy, overlay, 'kustomization.yaml');
    const kustomization = parseDocument(readFileSync(file, 'utf8'));
    kustomization.addIn(['components'], relative(overlay, component));
    writeFileSync(file, kustomization.toString());
    return render(join(copy, overlay));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/**
 * Whether there is a kubectl that knows components and replacements; where there is none, a suite
 * registers nothing but one line that says so.
 */
export function kustomizeForTests(): boolean {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const version = /"kustomizeVersion": "v(\d+)\./.exec(stdout ?? '')?.[1];
  if (version && Number(version) >= 5) return true;
  missing('no kubectl with Kustomize 5 or later is installed');
  return false;
}

/** The objects of one kind, typed as their schema's package types them. */
export const ofKind = <Type>(manifests: readonly Manifest[], kind: string): (Manifest & Type)[] =>
  manifests.filter((each) => each.kind === kind) as (Manifest & Type)[];

/** An object's kind and name, for messages. */
export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
