import { Button, Group, NumberInput, SimpleGrid, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';

type Limits = CallReply<'realms.show'>['limits'];

/** The limits, with the largest value of each. */
const largest = {
  requestsPerSecond: 100_000,
  requestsPerSecondOfKey: 100_000,
  requestsInHand: 10_000,
  weight: 100,
  queryRows: 100_000_000,
  queryMegabytes: 100_000,
  uploads: 10_000,
  uploadMegabytes: 1_000_000,
} as const satisfies Record<keyof Limits, number>;
const names = Object.keys(largest) as (keyof Limits)[];

interface Props {
  readonly realm: string;
  readonly limits: Limits;
}

/** What a realm may use of the installation: a form with its own limits. */
export function RealmLimits({ realm, limits }: Props) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<Limits>(limits);
  const change = useChange('realms.set-limits', { done: () => t('realms.limitsChanged') });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ realm, limits: wanted });
      }}
    >
      <Title order={3}>{t('realms.limits')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('realms.limitsHint')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {names.map((name) => (
          <NumberInput
            key={name}
            size="xs"
            label={t(`realms.limit.${name}`)}
            placeholder={t('realms.default')}
            min={1}
            max={largest[name]}
            allowDecimal={false}
            value={wanted[name] ?? ''}
            onChange={(value) => {
              const { [name]: _before, ...others } = wanted;
              setWanted(typeof value === 'number' ? { ...others, [name]: value } : others);
            }}
          />
        ))}
      </SimpleGrid>
      <Group mt="sm">
        <Button type="submit" size="xs" loading={change.isPending}>
          {t('realms.saveLimits')}
        </Button>
      </Group>
    </form>
  );
}
