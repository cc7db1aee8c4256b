/** The lifetimes of API keys (contract/api-keys#lifetime). */
export interface ApiKeyLifetimes {
  /** Of a user-bound key: hours. */
  readonly userHours: number;
  /** Of any other key: days. */
  readonly days: number;
}

/** Injects {@link ApiKeyLifetimes}. */
export const apiKeyLifetimes = Symbol('API key lifetimes');
