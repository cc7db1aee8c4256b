import { type Manifest, nameOf } from './manifests.ts';

/** Where in an object something stands. */
export type Path = readonly (string | number)[];

/**
 * The manifests with one of them changed.
 *
 * @param name its kind and name
 * @param value what is to stand at `path`; `undefined` takes away what stands there
 */
export function change(
  manifests: readonly Manifest[],
  name: string,
  path: Path,
  value: unknown,
): Manifest[] {
  if (!manifests.some((each) => nameOf(each) === name)) throw new Error(`there is no ${name}`);
  return manifests.map((each) => (nameOf(each) === name ? changed(each, path, value) : each));
}

/** A copy with something else at `path`. */
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
