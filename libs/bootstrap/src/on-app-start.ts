/**
 * A provider with a hook that is called when the app has started: it receives messages and can send
 * requests. Nest's own hooks run before the bus is connected.
 */
export interface OnAppStart {
  /** Called once after the start. Must not throw. */
  onAppStart(): void;
}

export const hasAppStartHook = (provider: unknown): provider is OnAppStart =>
  typeof (provider as Partial<OnAppStart> | null | undefined)?.onAppStart === 'function';
