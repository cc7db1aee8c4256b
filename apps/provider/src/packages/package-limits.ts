const mebibyte = 1024 * 1024;

/** Limits of a course package. */
export const packageLimits = {
  files: 20_000,
  /** Bytes of the names, comments and extra fields in the central directory. */
  directoryBytes: 4 * mebibyte,
  /** Uncompressed bytes of one file. */
  fileBytes: 512 * mebibyte,
  /** Uncompressed bytes of all files. */
  totalBytes: 2048 * mebibyte,
  /** Uncompressed bytes per compressed byte, of one file and of the package. */
  ratio: 200,
};
export type PackageLimits = typeof packageLimits;

/** The largest zip file that can be uploaded. */
export const maxUploadBytes = 1024 * mebibyte;

/** The ratio of smaller files is not checked: long runs of spaces in a page compress well. */
export const uncheckedRatioBytes = mebibyte;
