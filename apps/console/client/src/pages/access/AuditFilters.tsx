import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { submittedText } from '../../components/submitted-text.ts';
import { actorKinds, auditActionNames, type AuditSearch } from './audit-search.ts';

interface Props {
  readonly search: AuditSearch;
  /** Writes filters into the address; the list begins anew. */
  readonly onChange: (changes: Partial<AuditSearch>) => void;
  readonly onReset: () => void;
  /** Further filters, before the others. */
  readonly children?: ReactNode;
}

/** The filters of the audit log: time, act, actor, API key. */
export function AuditFilters({ search, onChange, onReset, children }: Props) {
  const { t } = useTranslation();
  const isFiltered = Object.entries(search).some(
    ([name, value]) => name !== 'cursor' && value !== undefined,
  );
  return (
    <Group mb="sm" align="flex-end" gap="sm">
      {children}
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          size="xs"
          label={t(`audit.${name}`)}
          value={search[name] ?? ''}
          onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
        />
      ))}
      <Select
        size="xs"
        w={210}
        label={t('audit.action')}
        placeholder={t('audit.allActions')}
        clearable
        searchable
        data={auditActionNames}
        value={search.action ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
      />
      <Select
        size="xs"
        w={190}
        label={t('audit.actor')}
        placeholder={t('audit.allActors')}
        clearable
        data={actorKinds.map((value) => ({ value, label: t(`audit.actors.${value}`) }))}
        value={search.actor ?? null}
        onChange={(actor) => onChange({ actor: actor ?? undefined })}
      />
      <form
        key={search.user ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ user: submittedText(event.currentTarget, 'user') });
        }}
      >
        <TextInput
          size="xs"
          w={190}
          name="user"
          label={t('audit.user')}
          placeholder={t('audit.userHint')}
          defaultValue={search.user ?? ''}
        />
      </form>
      <NumberInput
        size="xs"
        w={110}
        label={t('audit.key')}
        hideControls
        allowDecimal={false}
        min={1}
        value={search.key ?? ''}
        onChange={(key) => onChange({ key: typeof key === 'number' && key > 0 ? key : undefined })}
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={onReset}>
          {t('audit.reset')}
        </Button>
      )}
    </Group>
  );
}
