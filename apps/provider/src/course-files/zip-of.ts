import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import type { PackageFile } from './find-package.ts';

/**
 * Returns a zip file of these files, without compression: most content is compressed already. A file is read when the
 * ones before it have been sent.
 *
 * @param modified the time of all files
 */
export function zipOf(
  files: readonly PackageFile[],
  modified: Date,
  read: (file: PackageFile) => Readable,
): Readable {
  const zip = new ZipFile();
  const sent = new PassThrough();
  let current: Readable | null = null;
  for (const file of files) {
    const options = { compress: false, mtime: modified, size: file.size };
    zip.addReadStreamLazy(file.path, options, (begin) => {
      current = read(file);
      begin(null, current);
    });
  }
  zip.on('error', (error: Error) => sent.destroy(error));
  sent.once('close', () => current?.destroy());
  zip.end();
  return zip.outputStream.pipe(sent);
}
