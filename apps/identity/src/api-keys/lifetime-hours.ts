import type { IdentitySettings } from '../settings.ts';

/** The lifetime of an API key: its own, at most that of the settings (contract/api-keys#lifetime). Hours. */
export function lifetimeHoursOf(
  settings: IdentitySettings,
  key: { readonly isUserBound: boolean; readonly lifetimeHours: number | null },
): number {
  const { API_KEY_USER_LIFETIME_HOURS: ofUser, API_KEY_LIFETIME_DAYS: days } = settings;
  const longest = key.isUserBound ? ofUser : days * 24;
  return Math.min(key.lifetimeHours ?? longest, longest);
}
