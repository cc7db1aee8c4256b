/** Stops the PostgreSQL server that `jest-global-setup.ts` started, and removes its files. */
export default async function stopTestServer(): Promise<void> {
  await (globalThis as { stopTestServer?: () => Promise<void> }).stopTestServer?.();
}
