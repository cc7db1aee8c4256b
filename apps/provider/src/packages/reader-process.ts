import { on } from 'node:events';
import { constants, setPriority } from 'node:os';
import { manifestName } from './read-manifest.ts';
import type { CoursePackage } from './open-package.ts';
import { readPackage } from './read-package.ts';
import { packageDescriptor, type ReaderPurpose } from './reader-messages.ts';

/** A manifest of more bytes takes long to read; nearly all have fewer. */
const usualManifestBytes = 256 * 1024;

/**
 * Reads a package, whose file has {@link packageDescriptor}: a process of its own, which has bounded memory, no
 * secrets, and may end at any time. Each message of its parent is answered by the next {@link ReaderAnswer}.
 */
async function answer(): Promise<void> {
  const answers = readPackage(
    packageDescriptor,
    process.argv[2] as ReaderPurpose,
    yieldToRequestsFor,
  );
  for await (const _ of on(process, 'message')) {
    const { value } = await answers.next();
    process.send?.(value);
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
