/**
 * The address of the gateway for the postbacks of a provider application.
 *
 * @param base the setting POSTBACK_URL
 */
export const postbackUrl = (base: string, applicationId: number): string =>
  `${base.replace(/\/+$/, '')}/postbacks/${applicationId}`;
