import mime from 'mime';
import { extname } from 'node:path';

/** Types that browsers know under another name than mime's database does. */
const browserTypes = new Map([
  ['.ico', 'image/x-icon'],
  ['.m4v', 'video/mp4'],
]);

/**
 * Returns the media type of a file by its extension. Text has no charset, because the pages of a
 * course declare their own encoding.
 */
export const contentType = (path: string): string =>
  browserTypes.get(extname(path).toLowerCase()) ?? mime.getType(path) ?? 'application/octet-stream';
