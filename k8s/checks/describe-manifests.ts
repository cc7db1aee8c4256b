import { describe, it } from '@jest/globals';
import { kustomizeForTests } from './manifests.ts';

/** A suite on rendered manifests; one line where there is nothing to render them with. */
export function describeManifests(name: string, suite: () => void): void {
  describe(name, () => {
    if (kustomizeForTests()) suite();
    else it('is left out where no kubectl with Kustomize 5 is installed', () => undefined);
  });
}
