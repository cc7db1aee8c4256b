import type { PackageFinding } from '@registrar/contracts';
import type { CallFailure } from '../calls/define-call.ts';

/** A line of the response to an upload. The last one has the end. */
export type UploadNews =
  /** The package is there, and is checked or imported. Repeated while that lasts. */
  | { readonly stage: 'checking' | 'importing' }
  /** `findings` is null when the package could not be checked. */
  | {
      readonly course: { readonly guid: string; readonly title: string };
      readonly findings: readonly PackageFinding[] | null;
    }
  | { readonly failure: CallFailure; readonly findings: readonly PackageFinding[] | null };
