import { EmptyState } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: string;
  readonly children?: ReactNode;
}

/** A page that says why there is nothing else. */
export const PageMessage = ({ icon, title, description, children }: Props) => (
  <EmptyState icon={icon} py={64}>
    <title>{`${title} · Registrar`}</title>
    <EmptyState.Title order={1} tabIndex={-1} className="page-heading">
      {title}
    </EmptyState.Title>
    <EmptyState.Description>{description}</EmptyState.Description>
    {children && <EmptyState.Actions>{children}</EmptyState.Actions>}
  </EmptyState>
);
