import type { PackageFinding } from '@registrar/contracts';
import type { PackageBatch } from './package-pieces.ts';

/** A manifest as it is stored. */
export interface StorableManifest {
  /** Of the course. */
  readonly title: string;
  /** A `CourseStructure` as JSON. */
  readonly structure: string;
  /** What is wrong with the package that the import accepts, in sentences. */
  readonly warnings: string[];
}

/** What a package is read for. A check reads all of its files too, and sends none. */
export type ReaderPurpose = 'import' | 'check';

/** What the process that reads a package sends: for an import the manifest, then batches, then the end. */
export type ReaderAnswer =
  | { readonly manifest: StorableManifest }
  | { readonly batch: PackageBatch }
  | { readonly end: true }
  /** Of a check, which goes on: after the manifest, and after each part of the files. */
  | { readonly checked: 'manifest' | 'files' }
  /** Of a check that has ended. */
  | { readonly findings: readonly PackageFinding[] }
  /** Those of a `PackageError`. */
  | { readonly refusal: readonly PackageFinding[] }
  /** The stack of another error. */
  | { readonly failure: string };

/** The descriptor of the package in the process that reads it. */
export const packageDescriptor = 4;
