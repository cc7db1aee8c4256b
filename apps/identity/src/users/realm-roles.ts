/** The ids of the roles of users in a realm (contract/realm-users#roles). */
export const realmRoles = {
  learner: 1,
  /** A user who was created with a user-bound API key (contract/api-keys#create-user-email). */
  subscriber: 2,
} as const;
export type RealmRole = keyof typeof realmRoles;
