import { describeWith } from '@registrar/testing/suites';
import { findKustomize } from './manifests.ts';

/** Declares a suite on rendered manifests; skipped where kubectl cannot render them. */
export const describeManifests = (title: string, suite: () => void): void =>
  describeWith(findKustomize(), title, suite);
