/** The roles of users in a realm (decision 23; api-v2.md, Authentication, rule 3). */
export const realmRoles = {
  learner: 1,
  /** Who came into the realm by an api key made for them. */
  subscriber: 2,
} as const;
export type RealmRole = keyof typeof realmRoles;
