import IconBook from '@tabler/icons-react/icons/IconBook';
import IconBuilding from '@tabler/icons-react/icons/IconBuilding';
import IconClipboardList from '@tabler/icons-react/icons/IconClipboardList';
import IconInbox from '@tabler/icons-react/icons/IconInbox';
import IconKey from '@tabler/icons-react/icons/IconKey';
import IconLayoutDashboard from '@tabler/icons-react/icons/IconLayoutDashboard';
import IconListSearch from '@tabler/icons-react/icons/IconListSearch';
import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected';
import IconReportAnalytics from '@tabler/icons-react/icons/IconReportAnalytics';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import type { ComponentType } from 'react';
import type { PageAccess } from '../api/session.ts';

/** An entry of the navigation and of the command palette. */
export interface NavigationEntry {
  /** Where it leads; `$realm` stands for the realm that is chosen. */
  readonly to: string;
  /** Its text's key in the catalogues: the title of the page. */
  readonly label:
    | 'apiKeys.title'
    | 'audit.allTitle'
    | 'audit.title'
    | 'courses.title'
    | 'invitations.title'
    | 'overview.title'
    | 'parkedEvents.title'
    | 'providerApplications.allTitle'
    | 'providerApplications.title'
    | 'realms.title'
    | 'registrations.title'
    | 'reports.title';
  readonly icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  readonly access: PageAccess;
}

/** The pages of the installation, in the order of the navigation: one line each. */
export const installationEntries: readonly NavigationEntry[] = [
  { to: '/overview', label: 'overview.title', icon: IconLayoutDashboard, access: 'operator' },
  { to: '/access/realms', label: 'realms.title', icon: IconBuilding, access: 'operator' },
  {
    to: '/provider-applications',
    label: 'providerApplications.allTitle',
    icon: IconPlugConnected,
    access: 'operator',
  },
  { to: '/parked-events', label: 'parkedEvents.title', icon: IconInbox, access: 'operator' },
  { to: '/access/audit', label: 'audit.allTitle', icon: IconListSearch, access: 'operator' },
];

/** The pages of a realm, in the order of the navigation: one line each. */
export const realmEntries: readonly NavigationEntry[] = [
  {
    to: '/realms/$realm/registrations',
    label: 'registrations.title',
    icon: IconClipboardList,
    access: 'reader',
  },
  { to: '/realms/$realm/courses', label: 'courses.title', icon: IconBook, access: 'reader' },
  {
    to: '/realms/$realm/invitations',
    label: 'invitations.title',
    icon: IconTicket,
    access: 'reader',
  },
  {
    to: '/realms/$realm/reports',
    label: 'reports.title',
    icon: IconReportAnalytics,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/provider-applications',
    label: 'providerApplications.title',
    icon: IconPlugConnected,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/api-keys',
    label: 'apiKeys.title',
    icon: IconKey,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/audit',
    label: 'audit.title',
    icon: IconListSearch,
    access: 'administrator',
  },
];
