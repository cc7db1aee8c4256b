import { on } from 'node:events';
import { openPackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packageLimits } from './package-limits.ts';
import { batchesOf } from './package-pieces.ts';
import { readManifest } from './read-manifest.ts';
import { packageDescriptor, type ReaderAnswer } from './reader-messages.ts';

/**
 * Reads a package, whose file has {@link packageDescriptor}: a process of its own, which has bounded memory, no
 * secrets, and may end at any time. Each message of its parent is answered by the next {@link ReaderAnswer}.
 */
async function answer(): Promise<void> {
  const answers = readPackage();
  for await (const _ of on(process, 'message')) {
    const { value } = await answers.next();
    process.send?.(value);
  }
}

async function* readPackage(): AsyncGenerator<ReaderAnswer, ReaderAnswer> {
  try {
    const coursePackage = await openPackage(packageDescriptor, packageLimits);
    const { structure, warnings } = await readManifest(coursePackage);
    const { title } = structure.root;
    yield { manifest: { title, structure: JSON.stringify(structure), warnings } };
    for await (const batch of batchesOf(coursePackage)) yield { batch };
    return { end: true };
  } catch (error) {
    if (error instanceof PackageError) return { refusal: error.message };
    return { failure: error instanceof Error ? (error.stack ?? '') : String(error) };
  }
}

// A terminal, or a service manager, sends its signals to this process too. The parent lets imports finish.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
await answer();
