import { type Manifest, nameOf } from './manifests.ts';

/** The path to a value in an object. */
export type Path = readonly (string | number)[];

/**
 * Returns the manifests with a change to one of them.
 *
 * @param name kind and name of the manifest
 * @param value the new value at `path`; `undefined` removes the value
 */
export function change(
  manifests: readonly Manifest[],
  name: string,
  path: Path,
  value: unknown,
): Manifest[] {
  if (!manifests.some((each) => nameOf(each) === name))
    throw new Error(`no manifest is named ${name}`);
  return manifests.map((each) => (nameOf(each) === name ? changed(each, path, value) : each));
}

/** Returns a copy with another value at `path`. */
export function changed(manifest: Manifest, path: Path, value: unknown): Manifest {
  const copy = structuredClone(manifest);
  let place: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) place = place[step] as typeof place;
  const last = path.at(-1)!;
  if (value === undefined && Array.isArray(place)) place.splice(Number(last), 1);
  else if (value === undefined) delete place[last];
  else place[last] = structuredClone(value);
  return copy;
}
