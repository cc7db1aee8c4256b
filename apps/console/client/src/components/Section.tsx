import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page, in a frame. */
export const Section = ({ title, children }: Props) => (
  <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
    <Title order={2} size="h5" mb="sm">
      {title}
    </Title>
    {children}
  </Paper>
);
