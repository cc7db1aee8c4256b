import { clock } from '@registrar/platform';
import { afterAll, vi } from 'vitest';

// The suites of a worker share its process and its modules.
afterAll(() => {
  clock.reset();
  vi.restoreAllMocks();
});
