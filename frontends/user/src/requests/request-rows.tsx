import type { LoggedRequest } from '@talpa/contracts';
import { formatLogTime, useLanguage } from '@talpa/panel-kit/core';
import { LongText, type RowShape } from '@talpa/panel-kit/table';
import { Info } from 'lucide-react';
import { RequestStatus, useDuration } from './request-status.tsx';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';

/** A request as a row. The id is one of the page: only the edge's request ID names a request. */
export interface RequestRow extends LoggedRequest {
  readonly id: number;
}

/** The last 48 bits of the random and counted parts of a request ID. */
export const withId = (request: LoggedRequest): RequestRow => ({
  ...request,
  id: Number.parseInt(request.requestId.slice(4, 16), 16),
});

export const nameOf = ({ method, path }: LoggedRequest) => `${method} ${path}`;

/** Requests as rows. */
export function useRequestRows(onShow: (request: LoggedRequest) => void): RowShape<RequestRow> {
  const t = useRequestTexts();
  const language = useLanguage();
  const durationOf = useDuration();
  return {
    label: t('title'),
    actions: (request) => [
      {
        key: 'details',
        text: t('details'),
        name: t('details.of', { request: nameOf(request) }),
        Icon: Info,
        onClick: () => onShow(request),
      },
    ],
    columns: [
      {
        key: 'request',
        title: t('column.request'),
        render: ({ method, path }, place) => (
          <span className={styles.request}>
            <span className={styles.method}>{method}</span>
            <span className={styles.path} data-place={place}>
              <LongText text={path} lines={1} />
            </span>
          </span>
        ),
        min: 200,
        grow: 3,
        onCard: 'title',
      },
      {
        key: 'status',
        title: t('column.status'),
        render: (request) => <RequestStatus request={request} />,
        min: 190,
        grow: 1,
        onCard: 'extra',
      },
      {
        key: 'at',
        title: t('column.at'),
        render: ({ at }) => formatLogTime(at, language),
        min: 176,
      },
      { key: 'duration', title: t('column.duration'), render: durationOf, min: 124 },
      {
        key: 'visitor',
        title: t('column.visitor'),
        render: ({ network, agent }) => `${t(`agent.${agent}`)}, ${network}`,
        min: 200,
        grow: 1,
      },
    ],
  };
}
