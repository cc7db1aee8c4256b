/** How much a course package may unpack to. */
export interface PackageLimits {
  readonly files: number;
  /** Bytes of the names, comments and further attributes in the table of contents. */
  readonly contentsBytes: number;
  /** Bytes of one file, unpacked. */
  readonly fileBytes: number;
  /** Bytes of all files, unpacked. */
  readonly totalBytes: number;
  /** Unpacked bytes per packed byte, of one file and of the whole. */
  readonly ratio: number;
}

const mebibyte = 1024 * 1024;

export const packageLimits: PackageLimits = {
  files: 20_000,
  contentsBytes: 16 * mebibyte,
  fileBytes: 512 * mebibyte,
  totalBytes: 2048 * mebibyte,
  ratio: 200,
};

/** A zip file that is uploaded may have this many bytes. */
export const uploadBytes = 1024 * mebibyte;

/** Below this size nothing is a bomb: long runs of spaces in a page compress well, too. */
export const harmlessBytes = mebibyte;
