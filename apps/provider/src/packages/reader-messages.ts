import type { PackageBatch } from './package-pieces.ts';

/** A manifest as it is stored. */
export interface StorableManifest {
  /** Of the course. */
  readonly title: string;
  /** A `CourseStructure` as JSON. */
  readonly structure: string;
  /** What the player does not obey, in sentences. */
  readonly warnings: string[];
}

/** What the process that reads a package sends: the manifest, then batches, then the end. */
export type ReaderAnswer =
  | { readonly manifest: StorableManifest }
  | { readonly batch: PackageBatch }
  | { readonly end: true }
  /** The message of a `PackageError`. */
  | { readonly refusal: string }
  /** The stack of another error. */
  | { readonly failure: string };

/** The descriptor of the package in the process that reads it. */
export const packageDescriptor = 4;
