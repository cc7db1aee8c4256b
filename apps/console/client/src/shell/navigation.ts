import { BookIcon } from '@primer/octicons-react/BookIcon';
import { OrganizationIcon } from '@primer/octicons-react/OrganizationIcon';
import { TasklistIcon } from '@primer/octicons-react/TasklistIcon';
import { InboxIcon } from '@primer/octicons-react/InboxIcon';
import { KeyIcon } from '@primer/octicons-react/KeyIcon';
import { MeterIcon } from '@primer/octicons-react/MeterIcon';
import { LogIcon } from '@primer/octicons-react/LogIcon';
import { PlugIcon } from '@primer/octicons-react/PlugIcon';
import { GraphBarVerticalIcon } from '@primer/octicons-react/GraphBarVerticalIcon';
import { MailIcon } from '@primer/octicons-react/MailIcon';
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
  { to: '/overview', label: 'overview.title', icon: MeterIcon, access: 'operator' },
  { to: '/access/realms', label: 'realms.title', icon: OrganizationIcon, access: 'operator' },
  {
    to: '/provider-applications',
    label: 'providerApplications.allTitle',
    icon: PlugIcon,
    access: 'operator',
  },
  { to: '/parked-events', label: 'parkedEvents.title', icon: InboxIcon, access: 'operator' },
  { to: '/access/audit', label: 'audit.allTitle', icon: LogIcon, access: 'operator' },
];

/** The pages of a realm, in the order of the navigation: one line each. */
export const realmEntries: readonly NavigationEntry[] = [
  {
    to: '/realms/$realm/registrations',
    label: 'registrations.title',
    icon: TasklistIcon,
    access: 'reader',
  },
  { to: '/realms/$realm/courses', label: 'courses.title', icon: BookIcon, access: 'reader' },
  {
    to: '/realms/$realm/invitations',
    label: 'invitations.title',
    icon: MailIcon,
    access: 'reader',
  },
  {
    to: '/realms/$realm/reports',
    label: 'reports.title',
    icon: GraphBarVerticalIcon,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/provider-applications',
    label: 'providerApplications.title',
    icon: PlugIcon,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/api-keys',
    label: 'apiKeys.title',
    icon: KeyIcon,
    access: 'administrator',
  },
  {
    to: '/realms/$realm/audit',
    label: 'audit.title',
    icon: LogIcon,
    access: 'administrator',
  },
];
