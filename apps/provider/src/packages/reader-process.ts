import { on } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Findings } from './findings.ts';
import { type CoursePackage, openPackage } from './open-package.ts';
import { PackageError, refusal } from './package-error.ts';
import { packageLimits } from './package-limits.ts';
import { batchesOf } from './package-pieces.ts';
import { manifestName, readManifest } from './read-manifest.ts';
import { packageDescriptor, type ReaderAnswer, type ReaderPurpose } from './reader-messages.ts';

/** A manifest of more bytes takes long to read; nearly all have fewer. */
const usualManifestBytes = 256 * 1024;
/** A check reports after so many bytes of files: an import sends fewer in the time that a batch may take. */
const checkedBytes = 16 * 1024 * 1024;

/**
 * Reads a package, whose file has {@link packageDescriptor}: a process of its own, which has bounded memory, no
 * secrets, and may end at any time. Each message of its parent is answered by the next {@link ReaderAnswer}.
 */
async function answer(): Promise<void> {
  const answers = readPackage(process.argv[2] as ReaderPurpose);
  for await (const _ of on(process, 'message')) {
    const { value } = await answers.next();
    process.send?.(value);
  }
}

async function* readPackage(
  purpose: ReaderPurpose,
): AsyncGenerator<ReaderAnswer, ReaderAnswer> {
  const findings = new Findings();
  try {
    const coursePackage = await openPackage(packageDescriptor, packageLimits, findings);
    yieldToRequestsFor(coursePackage);
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
async function* readFiles({ sizes, stream }: CoursePackage): AsyncGenerator<void> {
  let bytes = 0;
  for (const path of sizes.keys()) {
    const chunks = (await stream(path)) as AsyncIterable<Buffer>;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes < checkedBytes) continue;
        yield;
        bytes = 0;
      }
    } catch (error) {
      throw refusal('zip-unreadable', 'The package is a broken zip file.', { file: path }, {
        cause: error,
      });
    }
  }
}

/** Lets requests go before the reading of a large manifest: several of them in turn would take a processor for long. */
function yieldToRequestsFor(coursePackage: CoursePackage): void {
  const bytes = coursePackage.sizes.get(coursePackage.find(manifestName) ?? manifestName) ?? 0;
  if (bytes > usualManifestBytes) setPriority(constants.priority.PRIORITY_LOW);
}

// A terminal, or a service manager, sends its signals to this process too. The parent lets imports finish.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
await answer();
