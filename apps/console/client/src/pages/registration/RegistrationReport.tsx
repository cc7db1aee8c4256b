import {
  Box,
  Button,
  Code,
  Group,
  Loader,
  Text,
  Tree,
  type TreeNodeData,
  useTree,
  getTreeExpandedState,
} from '@mantine/core';
import { ChevronRightIcon } from '@primer/octicons-react/ChevronRightIcon';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { Failure } from '../../components/Failure.tsx';
import { CompletionBadge, SuccessBadge } from '../registrations/ResultBadge.tsx';
import { type ReportNode, reportTree, textIn } from './report-tree.ts';
import { useRefetchOn } from './use-refetch-on.ts';

interface Props {
  readonly named: CallInput<'registrations.show-report'>;
  /** When the registration was updated: the report is read again when it changes. */
  readonly version: string;
}

/** The activity report of the newest result, as a tree. */
export function RegistrationReport({ named, version }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall('registrations.show-report', named);
  useRefetchOn(version, refetch);
  const report = data?.report ?? null;
  const tree = useMemo(() => (report === null ? null : reportTree(report)), [report]);
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Loader aria-label={t('table.loading')} />;
  if (report === null) return <Text size="sm">{t('registration.noReport')}</Text>;
  if (tree === null) return <Text size="sm">{t('registration.unreadableReport')}</Text>;
  return <ReportTree key={report} {...tree} />;
}

interface ReportTreeProps {
  readonly nodes: readonly ReportNode[];
  readonly isCut: boolean;
}

function ReportTree({ nodes, isCut }: ReportTreeProps) {
  const { t } = useTranslation();
  const data = useMemo(() => nodes.map(toTreeNode), [nodes]);
  const activities = useMemo(() => activityPaths(nodes), [nodes]);
  const tree = useTree({ initialExpandedState: getTreeExpandedState(data, activities) });
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button size="xs" variant="default" onClick={tree.expandAllNodes}>
          {t('registration.expand')}
        </Button>
        <Button size="xs" variant="default" onClick={tree.collapseAllNodes}>
          {t('registration.collapse')}
        </Button>
      </Group>
      <Tree
        data={data}
        tree={tree}
        aria-label={t('registration.report')}
        renderNode={({ node, expanded, hasChildren, elementProps }) => (
          <Group gap={6} wrap="nowrap" align="flex-start" {...elementProps}>
            <Box
              style={{
                visibility: hasChildren ? 'visible' : 'hidden',
                flexShrink: 0,
                marginBlockStart: 3,
                transform: expanded ? 'rotate(90deg)' : 'none',
              }}
            >
              <ChevronRightIcon size={16} aria-hidden />
            </Box>
            <NodeLabel node={(node.nodeProps as { node: ReportNode }).node} />
          </Group>
        )}
      />
      {isCut && (
        <Text size="xs" c="dimmed" mt="sm">
          {t('registration.cutReport')}
        </Text>
      )}
    </>
  );
}

/** The elements that the label of an activity shows, and those that say the same. */
const inLabel = new Set(['title', 'complete', 'completed', 'success', 'satisfied', 'score']);

function toTreeNode(node: ReportNode): TreeNodeData {
  const children = node.children.filter(
    ({ name }) => node.name !== 'activity' || !inLabel.has(name),
  );
  return {
    value: node.path,
    label: node.name,
    nodeProps: { node },
    ...(children.length > 0 && { children: children.map(toTreeNode) }),
  };
}

/** The paths of activities that have activities in them, which are open at first. */
const activityPaths = (nodes: readonly ReportNode[]): string[] =>
  nodes
    .filter(
      ({ name, children }) =>
        name === 'activity' && children.some((child) => child.name === 'activity'),
    )
    .flatMap((node) => [node.path, ...activityPaths(node.children)]);

function NodeLabel({ node }: { readonly node: ReportNode }) {
  const { t } = useTranslation();
  if (node.name === 'activity') {
    return (
      <Group gap={6} style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {textIn(node, 'title') || node.id}
        </Text>
        <CompletionBadge value={textIn(node, 'complete')} />
        <SuccessBadge
          value={textIn(node, 'success') === 'passed' ? 'succeeded' : textIn(node, 'success')}
        />
        {/^\d/.test(textIn(node, 'score')) && (
          <Text size="sm">{t('registration.scoreOf', { score: textIn(node, 'score') })}</Text>
        )}
      </Group>
    );
  }
  const name = node.name.replaceAll('_', ' ');
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
      <Text span inherit c="dimmed">
        {name}
        {node.id && ` ${node.id}`}
      </Text>
      {node.text && <> {node.text.length > 120 ? <Code>{node.text}</Code> : node.text}</>}
    </Text>
  );
}
