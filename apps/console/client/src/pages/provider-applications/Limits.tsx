import { Button, Group, NumberInput, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { Fact, Facts } from '../../components/Facts.tsx';
import { FormModal } from '../../components/FormModal.tsx';
import { Time } from '../../components/Time.tsx';
import type { Crawls } from './CrawlState.tsx';
import type { NamedApplication } from './named-application.ts';

type Configuration = Crawls['configuration'];

interface Props {
  readonly named: NamedApplication;
  readonly crawls: Crawls | null;
}

/** How many calls a provider application may make, and whether failures hold it back. */
export function Limits({ named, crawls }: Props) {
  const { t, i18n } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (crawls === null) return <Text size="sm">{t('providerApplications.unknownHint')}</Text>;
  const { configuration, rate, failures, backing_off_until: until } = crawls;
  const number = (value: number) =>
    value.toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  const configured = (value: number | null) =>
    value === null ? t('providerApplications.default') : number(value);
  return (
    <>
      <Facts>
        <Fact label={t('providerApplications.breaker')}>
          {until === null ? (
            t('providerApplications.breakerClosed')
          ) : (
            <>
              {t('providerApplications.breakerOpen')} <Time at={until} />
            </>
          )}
        </Fact>
        <Fact label={t('providerApplications.failures')}>{number(failures)}</Fact>
        <Fact label={t('providerApplications.presentRate')}>
          {t('providerApplications.perSecond', { calls: number(rate) })}
        </Fact>
        <Fact label={t('providerApplications.limit')}>{configured(configuration.limit)}</Fact>
        <Fact label={t('providerApplications.rate')}>{configured(configuration.rate)}</Fact>
        <Fact label={t('providerApplications.interval')}>{configured(configuration.interval)}</Fact>
        <Fact label={t('providerApplications.type')}>
          {configuration.type === null
            ? t('providerApplications.default')
            : t(`providerApplications.types.${configuration.type}`)}
        </Fact>
      </Facts>
      <Group>
        <Button size="xs" variant="default" onClick={open}>
          {t('providerApplications.configure')}
        </Button>
      </Group>
      {isOpen && <ConfigureModal named={named} given={configuration} onClose={close} />}
    </>
  );
}

interface ModalProps {
  readonly named: NamedApplication;
  readonly given: Configuration;
  readonly onClose: () => void;
}

function ConfigureModal({ named, given, onClose }: ModalProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(given);
  const configure = useChange('provider-applications.configure', {
    done: () => t('providerApplications.configured'),
  });
  const numberField = (name: 'limit' | 'rate' | 'interval', min: number, max: number) => (
    <NumberInput
      label={t(`providerApplications.${name}`)}
      description={t(`providerApplications.${name}Hint`)}
      placeholder={t('providerApplications.default')}
      min={min}
      max={max}
      allowDecimal={false}
      value={wanted[name] ?? ''}
      onChange={(value) =>
        setWanted({ ...wanted, [name]: typeof value === 'number' ? value : null })
      }
    />
  );
  const { limit, rate, interval, type } = wanted;
  return (
    <FormModal
      isOpen
      onClose={onClose}
      title={t('providerApplications.configure')}
      submit={t('save')}
      isPending={configure.isPending}
      onSubmit={() => configure.mutateAsync({ ...named, limit, rate, interval, type })}
    >
      <Text size="sm">{t('providerApplications.configureHint')}</Text>
      {numberField('limit', 1, 10_000)}
      {numberField('rate', 1, 1_000)}
      {numberField('interval', 5, 86_400)}
      <Select
        label={t('providerApplications.type')}
        placeholder={t('providerApplications.default')}
        clearable
        comboboxProps={{ zIndex: 400 }}
        data={(['course', 'full'] as const).map((value) => ({
          value,
          label: t(`providerApplications.types.${value}`),
        }))}
        value={type}
        onChange={(chosen) => setWanted({ ...wanted, type: chosen })}
      />
    </FormModal>
  );
}
