import type { UseQueryResult } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { ApiError } from '../core/api/api-error.ts';
import type { ListPage } from '../core/api/page.ts';
import { ErrorCard } from '../ui.ts';
import styles from './list.module.css';
import { Pager } from './pager.tsx';
import type { ListAddress } from './use-list.ts';

type PageQuery<Row> = UseQueryResult<ListPage<Row>, ApiError>;

/** Whether the page that the address names is there, and not the one before in its place. */
export const isSettled = ({ isSuccess, isPlaceholderData }: PageQuery<unknown>) =>
  isSuccess && !isPlaceholderData;

/** One page of a list: its rows, or why there are none yet, and the ways to the pages around it. */
export function PageFrame<Row>(props: {
  readonly query: PageQuery<Row>;
  readonly address: ListAddress;
  readonly loadFailed: string;
  readonly ref?: RefObject<HTMLDivElement | null>;
  /** Above the rows, in every state. */
  readonly head?: ReactNode;
  /** Between the rows and the pages. */
  readonly foot?: ReactNode;
  readonly children: (page: ListPage<Row>) => ReactNode;
}) {
  const { query, address } = props;
  const page = query.data;
  const own = useRef<HTMLDivElement>(null);
  const frame = props.ref ?? own;
  useWayBack(query, address);
  const turned = useFocusAfterTurn(frame, isSettled(query));
  return (
    // Takes the focus when a page has been turned.
    <div ref={frame} className={styles.frame} tabIndex={-1} data-list>
      {props.head}
      {query.isPending && (
        <Skeleton active title={false} className={styles.skeleton ?? ''} paragraph={{ rows: 6 }} />
      )}
      {query.isError && (
        <ErrorCard
          title={props.loadFailed}
          error={query.error}
          retry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {page && props.children(page)}
      {props.foot}
      {page && (page.next !== null || address.cursor !== null) && (
        <Pager
          address={address}
          next={page.next}
          total={page.total}
          shown={page.rows.length}
          onTurn={turned}
        />
      )}
    </div>
  );
}

/** A page that has become empty, or whose cursor is none, leads back by itself. */
function useWayBack(query: PageQuery<unknown>, address: ListAddress): void {
  const isGone =
    address.cursor !== null &&
    (query.error?.issues.some(({ path }) => path[0] === 'cursor') ||
      (isSettled(query) && query.data?.rows.length === 0));
  const back = useEffectEvent(address.previous);
  useEffect(() => {
    if (isGone) back({ replace: true });
  }, [isGone]);
}

/** After a turn the list is at its beginning, for the eye and for the keyboard. */
function useFocusAfterTurn(frame: RefObject<HTMLDivElement | null>, isThere: boolean): () => void {
  const isDue = useRef(false);
  useEffect(() => {
    if (!isDue.current || !isThere) return;
    isDue.current = false;
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'start' });
  });
  return () => {
    isDue.current = true;
  };
}
