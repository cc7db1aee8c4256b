/** Limits of a course package. */
export interface PackageLimits {
  readonly files: number;
  /** Bytes of the names, comments and extra fields in the central directory. */
  readonly directoryBytes: number;
  /** Uncompressed bytes of one file. */
  readonly fileBytes: number;
  /** Uncompressed bytes of all files. */
  readonly totalBytes: number;
  /** Uncompressed bytes per compressed byte, of one file and of the package. */
  readonly ratio: number;
}

const mebibyte = 1024 * 1024;

export const packageLimits: PackageLimits = {
  files: 20_000,
  directoryBytes: 4 * mebibyte,
  fileBytes: 512 * mebibyte,
  totalBytes: 2048 * mebibyte,
  ratio: 200,
};

/** The largest zip file that can be uploaded. */
export const maxUploadBytes = 1024 * mebibyte;

/** The ratio of smaller files is not checked: long runs of spaces in a page compress well. */
export const uncheckedRatioBytes = mebibyte;
