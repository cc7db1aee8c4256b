/**
 * Starts a system and runs `use` with it. Releases its resources at the end, and when a signal
 * interrupts: then the process exits with code 130.
 *
 * @param start starts the system, and adds what it starts to the resources
 */
export async function runWithResources<System>(
  start: (resources: AsyncDisposableStack) => Promise<System>,
  use: (system: System, resources: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const starting = start(resources);
  const end = async () => {
    // Resources of a pending start are known only when the start has ended.
    await starting.catch(() => undefined);
    await resources.disposeAsync();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
  await use(await starting, resources);
}
