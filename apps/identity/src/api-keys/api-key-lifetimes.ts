/** The lifetimes of API keys (contract/api-keys#lifetime). */
export interface ApiKeyLifetimes {
  /** Of a user-bound key: hours. */
  readonly userHours: number;
  /** Of any other key: days. */
  readonly days: number;
}

/** Injects {@link ApiKeyLifetimes}. */
export const apiKeyLifetimes = Symbol('API key lifetimes');

/** The lifetime of an API key: its own, at most that of the settings. Hours. */
export function lifetimeHoursOf(
  { userHours, days }: ApiKeyLifetimes,
  key: { readonly isUserBound: boolean; readonly lifetimeHours: number | null },
): number {
  const longest = key.isUserBound ? userHours : days * 24;
  return Math.min(key.lifetimeHours ?? longest, longest);
}
