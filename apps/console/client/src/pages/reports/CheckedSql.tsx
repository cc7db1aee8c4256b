import { Input, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { reportSignedOut } from '../../api/query-client.ts';
import { styleNonce } from '../../style-nonce.ts';
import type { SqlFault } from './SqlEditor.tsx';

/** The editor is loaded after the page that has it. */
const SqlEditor = lazy(() => import('./SqlEditor.tsx'));

const labelId = 'report-sql';

type Verdict =
  | { readonly kind: 'empty' | 'checking' | 'right' }
  | { readonly kind: 'wrong'; readonly fault: SqlFault };

interface Props {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The text of a query in an editor. What the server's check finds is marked at its place, and said below. */
export function CheckedSql({ value, onChange }: Props) {
  const { t } = useTranslation();
  const latest = useRef(value);
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'checking' });
  const change = (text: string) => {
    latest.current = text;
    setVerdict({ kind: 'checking' });
    onChange(text);
  };
  const check = async (text: string): Promise<SqlFault | null> => {
    const found = await verdictOn(text);
    // The answer to an earlier text says nothing of this one.
    if (latest.current === text) setVerdict(found);
    return found.kind === 'wrong' ? found.fault : null;
  };
  return (
    <div>
      <Input.Label id={labelId} labelElement="div" mb={4}>
        {t('reports.sql')}
      </Input.Label>
      <Suspense fallback={<Skeleton h={262} />}>
        <SqlEditor
          labelledBy={labelId}
          initial={value}
          nonce={styleNonce()}
          onChange={change}
          check={check}
        />
      </Suspense>
      <VerdictText verdict={verdict} text={value} />
    </div>
  );
}

async function verdictOn(sql: string): Promise<Verdict> {
  if (sql === '') return { kind: 'empty' };
  try {
    const { problem } = await call('reports.check', { sql });
    return problem ? { kind: 'wrong', fault: problem } : { kind: 'right' };
  } catch (error) {
    reportSignedOut(error);
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'wrong', fault: { message, offset: null } };
  }
}

function VerdictText({ verdict, text }: { readonly verdict: Verdict; readonly text: string }) {
  const { t } = useTranslation();
  const says = () => {
    if (verdict.kind !== 'wrong') return t(`reports.verdicts.${verdict.kind}`);
    const { message, offset } = verdict.fault;
    if (offset === null) return t('reports.wrong', { message });
    const lines = text.slice(0, offset).split('\n');
    const place = { line: lines.length, column: lines.at(-1)!.length + 1 };
    return t('reports.wrongAt', { ...place, message });
  };
  const isWrong = verdict.kind === 'wrong';
  return (
    <Text
      size="sm"
      mt={6}
      role="status"
      style={{ overflowWrap: 'anywhere' }}
      {...(isWrong && { fw: 600 })}
    >
      {says()}
    </Text>
  );
}
