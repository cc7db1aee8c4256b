import { Button, Group, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react/SearchIcon';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { submittedText } from './submitted-text.ts';

/** A field of a {@link SearchForm}. */
interface SearchField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly placeholder?: string;
  /** The text that is searched for now. */
  readonly value: string | undefined;
  readonly maxLength: number;
}

interface Props<Name extends string> {
  readonly fields: readonly SearchField<Name>[];
  /** Searches; without texts, for everything. */
  readonly onSearch: (texts: Partial<Record<Name, string>>) => void;
}

/** Searches a list by texts, which the address of the page holds. */
export function SearchForm<Name extends string>({ fields, onSearch }: Props<Name>) {
  const { t } = useTranslation();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const texts = fields.map(({ name }) => [name, submittedText(form, name)]);
    onSearch(Object.fromEntries(texts) as Partial<Record<Name, string>>);
  };
  return (
    // Filled anew when the address changes.
    <form role="search" onSubmit={submit} key={JSON.stringify(fields.map(({ value }) => value))}>
      <Group mb="sm" align="flex-end" gap="xs">
        {fields.map(({ value, ...field }) => (
          <TextInput
            key={field.name}
            {...field}
            size="xs"
            defaultValue={value}
            w={{ base: '100%', xs: 220 }}
          />
        ))}
        <Button type="submit" size="xs" leftSection={<SearchIcon size={14} aria-hidden />}>
          {t('registrations.search')}
        </Button>
        {fields.some(({ value }) => value !== undefined) && (
          <Button size="xs" variant="default" onClick={() => onSearch({})}>
            {t('registrations.clear')}
          </Button>
        )}
      </Group>
    </form>
  );
}
