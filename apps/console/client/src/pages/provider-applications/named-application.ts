/** The realm and the id of a provider application, which its calls name. */
export interface NamedApplication {
  readonly realm: string;
  readonly application: number;
}
