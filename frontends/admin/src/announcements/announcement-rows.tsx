import type { Announcement } from '@talpa/contracts';
import { formatShortTime } from '@talpa/panel-kit/core';
import { LongText, type RowShape } from '@talpa/panel-kit/table';
import { Tag } from '@talpa/panel-kit/ui';
import { CircleStop, Pencil } from 'lucide-react';
import { useAnnouncementTexts } from './texts.ts';

const colors = { planned: 'processing', active: 'success', ended: 'default' } as const;

/** Announcements as rows. */
export function useAnnouncementRows(on: {
  readonly edit: (announcement: Announcement) => void;
  readonly end: (announcement: Announcement) => void;
}): RowShape<Announcement> {
  const t = useAnnouncementTexts();
  const action = (key: 'edit' | 'end', announcement: Announcement) => ({
    key,
    text: t(key),
    name: t('action', { action: t(key), name: announcement.titleDe }),
    why: announcement.state === 'ended' ? t('ended') : undefined,
    disabled: announcement.state === 'ended',
    onClick: () => on[key](announcement),
  });
  return {
    label: t('list'),
    actions: (announcement) => [
      { ...action('edit', announcement), Icon: Pencil },
      { ...action('end', announcement), Icon: CircleStop, danger: true },
    ],
    columns: [
      {
        key: 'title',
        title: t('column.title'),
        render: ({ titleDe }) => <LongText text={titleDe} lines={2} />,
        min: 190,
        grow: 4,
        onCard: 'title',
      },
      {
        key: 'state',
        title: t('column.state'),
        render: ({ state }) => <Tag color={colors[state]}>{t(`state.${state}`)}</Tag>,
        min: 130,
        onCard: 'extra',
      },
      {
        key: 'from',
        title: t('column.from'),
        render: ({ startsAt }) => formatShortTime(startsAt, 'de'),
        min: 170,
        grow: 1,
      },
      {
        key: 'to',
        title: t('column.to'),
        render: ({ endsAt }) => formatShortTime(endsAt, 'de'),
        min: 170,
        grow: 1,
      },
    ],
  };
}
