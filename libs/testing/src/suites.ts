import { describe, it } from 'vitest';
import type { ExternalService } from './external-services.ts';

/**
 * Declares a suite that needs an external service. Where the service is missing, Vitest reports the
 * suite as skipped with the reason in its title. With `CI=true` the suite fails instead.
 *
 * ```ts
 * describeWith(findChromium(), 'the player', (executablePath) => { … });
 * ```
 *
 * @param suite declares the tests; called with the service's handle, only when it is available
 */
export function describeWith<Handle>(
  service: ExternalService<Handle>,
  title: string,
  suite: (handle: Handle) => void,
): void {
  if (service.available) {
    describe(title, () => suite(service.handle));
  } else if (process.env['CI'] === 'true') {
    describe(title, () => {
      it('finds the services that it needs', () => {
        throw new Error(`${service.reason}; with CI=true no suite is skipped`);
      });
    });
  } else {
    describe.skip(`${title} (skipped: ${service.reason})`, () => {
      it('needs an external service', () => undefined);
    });
  }
}
