import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list of facts about a thing: their labels and values. */
export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <DataList size="sm" labelWidth="min(46%, 210px)">
    {children}
  </DataList>
);

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** One of the {@link Facts}. */
export const Fact = ({ label, children }: FactProps) => (
  <DataList.Item>
    <DataList.ItemLabel>{label}</DataList.ItemLabel>
    <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue>
  </DataList.Item>
);
