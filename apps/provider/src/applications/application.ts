/** An account at this provider. All that it owns is reached through its id alone. */
export interface Application {
  readonly id: number;
}
