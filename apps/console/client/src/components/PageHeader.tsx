import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** One sentence about what the page shows. */
  readonly description?: string;
  /** Buttons, and how up to date the page is. */
  readonly children?: ReactNode;
}

/** The heading of a page, which gets the focus after a navigation, and the title of the document. */
export function PageHeader({ title, description, children }: Props) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <title>{`${title} · Registrar`}</title>
      <Box maw={820}>
        <Title order={1} tabIndex={-1} className="page-heading">
          {title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </Box>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
