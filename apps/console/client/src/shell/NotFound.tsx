import { Anchor, Box } from '@mantine/core';
import { SmileyNeutralIcon } from '@primer/octicons-react/SmileyNeutralIcon';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageMessage } from './PageMessage.tsx';

/** Stands in place of a page that does not exist. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Box component="main">
      <PageMessage
        icon={<SmileyNeutralIcon size={24} aria-hidden />}
        title={t('notFound.title')}
        description={t('notFound.description')}
      >
        <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{t('notFound.home')}</Anchor>
      </PageMessage>
    </Box>
  );
}
