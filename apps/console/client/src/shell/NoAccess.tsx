import IconLock from '@tabler/icons-react/icons/IconLock';
import { useTranslation } from 'react-i18next';
import { PageMessage } from './PageMessage.tsx';

/** Stands in place of a page that the user's role does not have. */
export function NoAccess() {
  const { t } = useTranslation();
  return (
    <PageMessage
      icon={<IconLock aria-hidden />}
      title={t('noAccess.title')}
      description={t('noAccess.description')}
    />
  );
}
