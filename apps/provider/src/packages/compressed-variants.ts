import compressible from 'compressible';
import { compress, type CompressedEncoding, compressedEncodings } from './content-encoding.ts';
import { contentType } from './content-type.ts';
import type { CoursePackage } from './open-package.ts';

/** Which files are compressed, in the time and memory of the process that reads a package. */
export const compressionLimits = {
  /** Smaller files fit into one packet. */
  minFileBytes: 1024,
  /** A file is compressed in memory. Scripts and pages are smaller; what is larger is media. */
  maxFileBytes: 4 * 1024 * 1024,
  /** Processor time for all files of a package, after which the rest travels as it is. */
  cpuMs: 20_000,
};

interface CompressedVariant {
  readonly encoding: CompressedEncoding;
  readonly bytes: Buffer;
}

/** Returns a function that compresses files of a package, as long as its processor time lasts. */
export function compressedVariants(
  coursePackage: CoursePackage,
  { minFileBytes, maxFileBytes, cpuMs } = compressionLimits,
): (path: string, size: number) => AsyncGenerator<CompressedVariant> {
  let spentMs = 0;
  return async function* variantsOf(path, size) {
    if (size < minFileBytes || size > maxFileBytes || !compressible(contentType(path))) return;
    const file = await coursePackage.read(path, maxFileBytes);
    for (const encoding of file ? compressedEncodings : []) {
      if (spentMs >= cpuMs) return;
      const before = process.cpuUsage();
      const bytes = compress(file!, encoding);
      const { user, system } = process.cpuUsage(before);
      spentMs += (user + system) / 1_000;
      if (!bytes) return;
      yield { encoding, bytes };
    }
  };
}
