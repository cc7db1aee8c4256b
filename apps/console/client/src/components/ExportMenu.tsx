import { Button, Menu } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react/DownloadIcon';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../api/call.ts';

const formats = ['csv', 'xlsx', 'json'] as const;

interface Props {
  /** The last part of the path: `registrations`, or `reports`. */
  readonly list: string;
  /** The input of the call whose list is exported. */
  readonly input: unknown;
  /** What the files contain. */
  readonly hint: string;
}

/** A menu of the files that the server makes of a whole list. */
export function ExportMenu({ list, input, hint }: Props) {
  const { t } = useTranslation();
  const hrefOf = (format: string) => {
    const query = new URLSearchParams({ format, input: JSON.stringify(input) });
    return addressOf(`api/exports/${list}?${query}`);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<DownloadIcon size={14} aria-hidden />}>
          {t('export.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label maw={280}>{hint}</Menu.Label>
        {formats.map((format) => (
          <Menu.Item key={format} component="a" href={hrefOf(format)} download>
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
