import {
  Button,
  Center,
  EmptyState,
  Group,
  Loader,
  Skeleton,
  Table,
  UnstyledButton,
} from '@mantine/core';
import { ArrowDownIcon } from '@primer/octicons-react/ArrowDownIcon';
import { ArrowUpIcon } from '@primer/octicons-react/ArrowUpIcon';
import { UnfoldIcon } from '@primer/octicons-react/UnfoldIcon';
import {
  type ColumnDef,
  createColumnHelper,
  type Header,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './DataTable.module.css';
import { Failure } from './Failure.tsx';

interface DataColumnMeta {
  /** The narrowest screen that shows the column; by default every screen does. */
  readonly visibleFrom?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  /** Numbers stand at the right. */
  readonly align?: 'right';
}

/** Gives the columns their type of `meta`; the table does not read it. */
const columnMeta: DataColumnMeta = {};
const features = tableFeatures({ rowSortingFeature, columnMeta });
type Features = typeof features;
export type DataColumn<Row extends RowData> = ColumnDef<Features, Row, unknown>;

/**
 * The helper that defines the columns of a table. The first column names a row. A column can be sorted when it has
 * `enableSorting: true` and the call has such an order: the server sorts.
 */
export const dataColumns = <Row extends RowData>() => createColumnHelper<Features, Row>();

/** The place in a list, as the search parameters of a page have it. */
export interface ListPlace {
  /** The column, with a hyphen before it for descending. */
  readonly sort?: string | undefined;
  /** The cursor of the page; none for the first. */
  readonly cursor?: string | undefined;
}

/** What a call that returns a page of a list replies. */
interface ListReply<Row> {
  readonly items: readonly Row[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  /** The number of all rows, where it is known without counting them. */
  readonly total?: number | null | undefined;
}

interface Props<Row extends RowData> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  /** Defined outside of components, or memoized. */
  readonly columns: readonly DataColumn<Row>[];
  /** What `useCall` or `useLiveCall` returns. */
  readonly query: {
    readonly data: ListReply<Row> | undefined;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => unknown;
  };
  readonly rowKey: (row: Row) => string;
  /** The place in the list, from the address. */
  readonly place: ListPlace;
  /** Writes a place into the address. */
  readonly onMove: (place: ListPlace) => void;
  /** Opens a row. The first column becomes its button. */
  readonly onOpen?: (row: Row) => void;
  /** The key of the row that is open. */
  readonly openKey?: string | undefined;
  /** What stands in place of an empty list. */
  readonly empty: {
    readonly title: string;
    readonly description?: string;
    readonly icon?: ReactNode;
  };
}

const noRows: never[] = [];

/** A list: columns, order, pages by cursor, and its empty, loading and failed states. */
export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { label, columns, query, rowKey, place, onMove, onOpen, openKey, empty } = props;
  const { t } = useTranslation();
  const sorted = sortOf(place.sort);
  const table = useTable({
    features,
    columns,
    data: query.data?.items ?? noRows,
    getRowId: rowKey,
    manualSorting: true,
    defaultColumn: { enableSorting: false },
  });
  if (query.error && !query.data) return <Failure error={query.error} onRetry={query.refetch} />;
  const rows = table.getRowModel().rows;
  const isFirst = place.cursor === undefined;
  const isLoading = query.data === undefined;
  return (
    <>
      {query.error ? <Failure error={query.error} onRetry={query.refetch} /> : null}
      <Table.ScrollContainer
        minWidth={320}
        type="native"
        className={classes.frame}
        // The keyboard scrolls a table that has no buttons.
        {...(!onOpen && { tabIndex: 0 })}
      >
        <Table
          aria-label={label}
          aria-busy={isLoading || query.isPlaceholderData}
          verticalSpacing={6}
          horizontalSpacing="sm"
          highlightOnHover={rows.length > 0}
          tabularNums
          className={classes.table}
        >
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {group.headers.map((header) => (
                  <HeaderCell
                    key={header.id}
                    header={header}
                    sorted={sorted}
                    onSort={(sort) => onMove({ sort, cursor: undefined })}
                  >
                    <table.FlexRender header={header} />
                  </HeaderCell>
                ))}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr
                key={row.id}
                data-clickable={onOpen !== undefined}
                aria-current={row.id === openKey ? 'true' : undefined}
                onClick={() => onOpen?.(row.original)}
              >
                {row.getAllCells().map((cell, place) => (
                  <Table.Td key={cell.id} {...cellProps(cell.column.columnDef.meta)}>
                    {place === 0 && onOpen ? (
                      <UnstyledButton
                        className={classes.open}
                        onClick={(event) => {
                          event.stopPropagation();
                          onOpen(row.original);
                        }}
                      >
                        <table.FlexRender cell={cell} />
                      </UnstyledButton>
                    ) : (
                      <table.FlexRender cell={cell} />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
            {isLoading && <LoadingRows columns={columns.length} label={t('table.loading')} />}
          </Table.Tbody>
        </Table>
        {!isLoading && rows.length === 0 && (
          <EmptyState
            py="xl"
            icon={empty.icon}
            title={isFirst ? empty.title : t('table.noMore')}
            description={isFirst ? empty.description : undefined}
          />
        )}
      </Table.ScrollContainer>
      {/* Without a height before the rows, which would move it. */}
      <Group justify="space-between" mt="sm" mih={isLoading ? 0 : 36} gap="sm">
        <span className={classes.count} role="status">
          {!isLoading &&
            (query.data?.total == null
              ? t('table.rows', { count: rows.length })
              : t('table.rowsOf', { count: rows.length, total: query.data.total }))}
        </span>
        {query.isPlaceholderData && <Loader size="xs" aria-label={t('table.loading')} />}
        {!isLoading && (!isFirst || query.data?.next != null) && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              disabled={isFirst}
              onClick={() => onMove({ ...place, cursor: undefined })}
            >
              {t('table.first')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={query.data?.next == null}
              onClick={() => onMove({ ...place, cursor: query.data?.next ?? undefined })}
            >
              {t('table.next')}
            </Button>
          </Group>
        )}
      </Group>
    </>
  );
}

interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

const sortOf = (sort: string | undefined): Sort | null =>
  sort === undefined
    ? null
    : { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };

const cellProps = (meta: DataColumnMeta | undefined) => ({
  ...(meta?.visibleFrom && { visibleFrom: meta.visibleFrom }),
  ...(meta?.align && { ta: meta.align }),
});

interface HeaderCellProps<Row extends RowData> {
  readonly header: Header<Features, Row, unknown>;
  readonly sorted: Sort | null;
  readonly onSort: (sort: string | undefined) => void;
  readonly children: ReactNode;
}

/** The head of a column; a button that sorts where the column can be sorted: ascending, descending, the list's own order. */
function HeaderCell<Row extends RowData>(props: HeaderCellProps<Row>) {
  const { header, sorted, onSort, children } = props;
  const { id, columnDef } = header.column;
  const cell = cellProps(columnDef.meta);
  if (!columnDef.enableSorting) return <Table.Th {...cell}>{children}</Table.Th>;
  const isSorted = sorted?.column === id;
  const isDescending = isSorted && sorted.isDescending;
  const [Icon, order, next] = isDescending
    ? ([ArrowDownIcon, 'descending', undefined] as const)
    : isSorted
      ? ([ArrowUpIcon, 'ascending', `-${id}`] as const)
      : ([UnfoldIcon, 'none', id] as const);
  return (
    <Table.Th {...cell} aria-sort={order}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(next)}>
        {children}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

function LoadingRows({ columns, label }: { readonly columns: number; readonly label: string }) {
  return Array.from({ length: 6 }, (_, row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns}>
        {row === 0 && <Center className="visually-hidden">{label}</Center>}
        <Skeleton height={12} my={4} />
      </Table.Td>
    </Table.Tr>
  ));
}
