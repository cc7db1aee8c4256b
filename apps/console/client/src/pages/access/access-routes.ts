import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute, shellRoute } from '../../shell/shell-routes.ts';
import { auditSearch } from './audit-search.ts';

const optionalText = z.catch(z.optional(z.string()), undefined);

/** The realms of the installation. */
export const realmsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/access/realms',
  validateSearch: z.object({
    /** A part of the names of the realms that are listed. */
    text: optionalText,
    cursor: optionalText,
    /** GUID of the realm that is open. */
    open: optionalText,
  }),
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./RealmsPage.tsx'), 'RealmsPage'),
});

/** The API keys of a realm. */
export const apiKeysRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: '/api-keys',
  validateSearch: z.object({
    /** The user of the keys that are listed. */
    user: optionalText,
    /** The keys that are listed were not used for so many days. */
    unused: z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(1))), undefined),
    cursor: optionalText,
  }),
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ApiKeysPage.tsx'), 'ApiKeysPage'),
});

/** The audit log of the installation. */
export const allAuditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/access/audit',
  validateSearch: z.extend(auditSearch, {
    /** GUID of the realm whose entries are listed; all by default. */
    realm: optionalText,
  }),
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./AllAuditPage.tsx'), 'AllAuditPage'),
});

/** The audit log of a realm. */
export const auditRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: '/audit',
  validateSearch: auditSearch,
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
});
