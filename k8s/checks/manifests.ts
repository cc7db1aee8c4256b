import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ExternalService } from '@registrar/testing';
import { type Document, parseAllDocuments, parseDocument } from 'yaml';
import * as z from 'zod';

const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});

/** A Kubernetes object. */
export type Manifest = z.output<typeof manifest>;

/** The overlay that holds the apps while the database is restored. */
export const restoreOverlay = 'k8s/overlays/restore';

/** The overlays of installations and the components, as paths relative to the root of the repository. */
export const overlays = foldersOf('k8s/overlays').filter((folder) => folder !== restoreOverlay);
export const components = foldersOf('k8s/components');

function foldersOf(folder: string): string[] {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}

/** Parses a file of objects. */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));

/** The rendered folders of this process. */
const rendered = new Map<string, string>();

/** Renders a folder with `kubectl kustomize`, once in a process. */
export function render(folder: string): Manifest[] {
  const text =
    rendered.get(folder) ?? execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  rendered.set(folder, text);
  return parseManifests(text);
}

/** Renders an overlay with one more component, listed last. */
export const renderWith = (component: string, overlay: string): Manifest[] =>
  renderChanged(overlay, (kustomization) =>
    kustomization.addIn(['components'], relative(overlay, component)),
  );

/** Renders a copy of an overlay whose `kustomization.yaml` is changed. */
export function renderChanged(
  overlay: string,
  change: (kustomization: Document) => void,
): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'registrar-overlay-'));
  try {
    cpSync('k8s', join(copy, 'k8s'), { recursive: true });
    const file = join(copy, overlay, 'kustomization.yaml');
    const kustomization = parseDocument(readFileSync(file, 'utf8'));
    change(kustomization);
    writeFileSync(file, kustomization.toString());
    return render(join(copy, overlay));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Finds a kubectl whose Kustomize knows components and replacements; the handle is its name. */
export function findKustomize(): ExternalService<string> {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const version = /"kustomizeVersion": "v(\d+)\./.exec(stdout ?? '')?.[1];
  return version && Number(version) >= 5
    ? { available: true, handle: 'kubectl' }
    : { available: false, reason: 'kubectl with Kustomize 5 or later is not installed' };
}

/** Returns the objects of one kind, with the type of their schema's package. */
export const ofKind = <Type>(manifests: readonly Manifest[], kind: string): (Manifest & Type)[] =>
  manifests.filter((each) => each.kind === kind) as (Manifest & Type)[];

/** Returns an object's kind and name for messages. */
export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
