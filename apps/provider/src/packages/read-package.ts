import { Findings } from './findings.ts';
import { type CoursePackage, openPackage } from './open-package.ts';
import { PackageError, refusal } from './package-error.ts';
import { packageLimits } from './package-limits.ts';
import { batchesOf } from './package-pieces.ts';
import { readManifest } from './read-manifest.ts';
import type { ReaderAnswer, ReaderPurpose } from './reader-messages.ts';

/** A check reports after so many bytes of files: an import sends fewer in the time that a batch may take. */
const checkedBytes = 16 * 1024 * 1024;

/**
 * Reads a package for an import or a check.
 *
 * @param file the descriptor of the zip file, which stays open
 * @param onOpened called when the central directory is known
 */
export async function* readPackage(
  file: number,
  purpose: ReaderPurpose,
  onOpened: (coursePackage: CoursePackage) => void = () => undefined,
): AsyncGenerator<ReaderAnswer, ReaderAnswer> {
  const findings = new Findings();
  try {
    const coursePackage = await openPackage(file, packageLimits, findings);
    onOpened(coursePackage);
    const structure = await readManifest(coursePackage, findings);
    if (purpose === 'check') {
      yield { checked: 'manifest' };
      for await (const _ of readFiles(coursePackage)) yield { checked: 'files' };
      return { findings: findings.list() };
    }
    const { title } = structure.root;
    const warnings = findings.warnings();
    yield { manifest: { title, structure: JSON.stringify(structure), warnings } };
    for await (const batch of batchesOf(coursePackage)) yield { batch };
    return { end: true };
  } catch (error) {
    if (!(error instanceof PackageError)) {
      return { failure: error instanceof Error ? (error.stack ?? '') : String(error) };
    }
    findings.addRefusal(error);
    return { refusal: findings.list() };
  }
}

/** Unpacks all files, as an import does; yields after each part of them. */
async function* readFiles(coursePackage: CoursePackage): AsyncGenerator<void> {
  let bytes = 0;
  for (const path of coursePackage.sizes.keys()) {
    const chunks = (await coursePackage.stream(path)) as AsyncIterable<Buffer>;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes < checkedBytes) continue;
        yield;
        bytes = 0;
      }
    } catch (error) {
      throw refusal(
        'zip-unreadable',
        'The package is a broken zip file.',
        { file: path },
        {
          cause: error,
        },
      );
    }
  }
}
