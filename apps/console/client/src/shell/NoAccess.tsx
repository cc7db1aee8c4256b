import { LockIcon } from '@primer/octicons-react/LockIcon';
import { useTranslation } from 'react-i18next';
import { PageMessage } from './PageMessage.tsx';

/** Stands in place of a page that the user's role does not have. */
export function NoAccess() {
  const { t } = useTranslation();
  return (
    <PageMessage
      icon={<LockIcon size={24} aria-hidden />}
      title={t('noAccess.title')}
      description={t('noAccess.description')}
    />
  );
}
