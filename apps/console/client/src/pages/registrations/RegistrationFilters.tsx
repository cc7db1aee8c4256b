import { Button, Checkbox, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react/SearchIcon';
import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { submittedText } from '../../components/submitted-text.ts';
import { completions, registrationsRoute, successes } from './registrations-route.ts';

type Search = ReturnType<typeof registrationsRoute.useSearch>;

const textFields = ['learner', 'course', 'registration', 'updatedSince', 'createdSince'] as const;

/** The filters of the list, which the address holds. Texts apply when the form is sent, choices at once. */
export function RegistrationFilters() {
  const { t } = useTranslation();
  const search = registrationsRoute.useSearch();
  const navigate = useNavigate({ from: registrationsRoute.fullPath });
  const apply = (changed: Partial<Search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed, cursor: undefined }) });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entries = textFields.map((name) => [name, submittedText(form, name)] as const);
    apply(Object.fromEntries(entries) as Partial<Search>);
  };
  return (
    <form
      role="search"
      onSubmit={submit}
      key={JSON.stringify(textFields.map((name) => search[name]))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 7 }} spacing="xs" mb="xs">
        <TextInput
          size="xs"
          name="learner"
          label={t('registrations.learner')}
          placeholder={t('registrations.learnerHint')}
          defaultValue={search.learner}
          maxLength={254}
        />
        <TextInput
          size="xs"
          name="course"
          label={t('registrations.courseGuid')}
          defaultValue={search.course}
          maxLength={255}
        />
        <TextInput
          size="xs"
          name="registration"
          label={t('registrations.guid')}
          defaultValue={search.registration}
          maxLength={255}
        />
        <Select
          size="xs"
          label={t('registrations.complete')}
          placeholder={t('registrations.any')}
          clearable
          data={completions.map((value) => ({
            value,
            label: t(`registrations.completion.${value}`),
          }))}
          value={search.complete ?? null}
          onChange={(complete) => apply({ complete: complete ?? undefined } as Partial<Search>)}
        />
        <Select
          size="xs"
          label={t('registrations.succeeded')}
          placeholder={t('registrations.any')}
          clearable
          data={successes.map((value) => ({ value, label: t(`registrations.success.${value}`) }))}
          value={search.success ?? null}
          onChange={(success) => apply({ success: success ?? undefined } as Partial<Search>)}
        />
        <TextInput
          size="xs"
          type="date"
          name="updatedSince"
          label={t('registrations.updatedSince')}
          defaultValue={search.updatedSince}
        />
        <TextInput
          size="xs"
          type="date"
          name="createdSince"
          label={t('registrations.createdSince')}
          defaultValue={search.createdSince}
        />
      </SimpleGrid>
      <Group gap="md" mb="sm">
        <Button type="submit" size="xs" leftSection={<SearchIcon size={14} aria-hidden />}>
          {t('registrations.search')}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => void navigate({ search: { sort: search.sort } })}
        >
          {t('registrations.clear')}
        </Button>
        <Checkbox
          size="xs"
          label={t('registrations.inactive')}
          checked={search.inactive === true}
          onChange={({ currentTarget: { checked } }) => apply({ inactive: checked || undefined })}
        />
        <Checkbox
          size="xs"
          label={t('registrations.notDeleted')}
          checked={search.notDeleted === true}
          onChange={({ currentTarget: { checked } }) => apply({ notDeleted: checked || undefined })}
        />
      </Group>
    </form>
  );
}
