/**
 * A provider of an app's module that begins something of its own when the app has started: it is
 * reachable and can ask others. Nest's own hooks come before the bus is open.
 */
export interface OnAppStart {
  onAppStart(): void;
}

export const wantsAppStart = (provider: unknown): provider is OnAppStart =>
  typeof (provider as Partial<OnAppStart> | null | undefined)?.onAppStart === 'function';
