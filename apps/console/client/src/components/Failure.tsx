import { Alert, Button, Group } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { useTranslation } from 'react-i18next';
import { FailureText } from './FailureText.tsx';

interface Props {
  /** What failed; by default, the page could not be loaded. */
  readonly title?: string;
  readonly error: unknown;
  /** Tries again. */
  readonly onRetry?: (() => unknown) | undefined;
}

/** An error in the place of what it prevents. */
export function Failure({ title, error, onRetry }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      color="red"
      variant="light"
      icon={<AlertIcon aria-hidden />}
      title={title ?? t('failure.title')}
    >
      <FailureText error={error} />
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => void onRetry()}>
            {t('failure.retry')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
