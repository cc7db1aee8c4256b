/** Files that packages of other standards have, in lower case. */
const signs: readonly (readonly [file: RegExp, name: string])[] = [
  [/(?:^|\/)cmi5\.xml$/, 'a cmi5 package'],
  [/(?:^|\/)tincan\.xml$/, 'an xAPI (Tin Can) package'],
  [/\.(?:crs|des|cst)$/, 'an AICC package'],
  [/(?:^|\/)h5p\.json$/, 'an H5P package'],
];

/** Returns which standard a package without a manifest has, and the file that shows it. */
export function unsupportedStandard(
  paths: readonly string[],
): { readonly name: string; readonly file: string } | undefined {
  for (const [sign, name] of signs) {
    const file = paths.find((path) => sign.test(path.toLowerCase()));
    if (file !== undefined) return { name, file };
  }
  return undefined;
}
