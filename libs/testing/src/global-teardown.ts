/** Ends what `global-setup.ts` started. */
export default async function stopTestServer(): Promise<void> {
  await (globalThis as { stopTestServer?: () => Promise<void> }).stopTestServer?.();
}
