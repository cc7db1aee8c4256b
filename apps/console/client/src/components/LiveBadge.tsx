import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Liveness } from '../api/use-live-call.ts';
import { formatDuration } from './format-duration.ts';
import { useNow } from './use-every-second.ts';

/** Says whether what a page shows is up to date, and its age when it is not. */
export function LiveBadge({ isLive, trueAt }: Liveness) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (trueAt === 0) return null;
  const age = formatDuration((now - trueAt) / 1_000, i18n.language);
  return (
    <Tooltip label={isLive ? t('live.liveHint') : t('live.brokenHint')}>
      <Badge
        variant="dot"
        color={isLive ? 'teal' : 'orange'}
        tt="none"
        fw={500}
        role={isLive ? undefined : 'status'}
      >
        {isLive ? t('live.live') : t('live.broken', { age })}
      </Badge>
    </Tooltip>
  );
}
