import type { Announcement } from '@talpa/contracts';
import { pageQuery, useApiMutation, useHeadOf } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { ListFrame, oneOf, useListAddress } from '@talpa/panel-kit/table';
import { Button, EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Megaphone, Plus } from 'lucide-react';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { CreateAnnouncementDialog, EditAnnouncementDialog } from './announcement-dialogs.tsx';
import { useAnnouncementRows } from './announcement-rows.tsx';
import { useAnnouncementTexts } from './texts.ts';

const states = ['planned', 'active', 'ended'] as const;
const options = { sorts: [], filters: { state: oneOf(states) } } as const;

/** Announcements of administrators to all users. */
export function AnnouncementsPage() {
  const t = useAnnouncementTexts();
  const head = useHeadOf(pages.announcements);
  const address = useListAddress(options);
  const announcements = useQuery(
    pageQuery('GET /api/admin/announcements', address.input, { language: 'de' }),
  );
  const [creating, setCreating] = useState(false);
  const [editing, setEditing] = useState(false);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<Announcement | null>(null);
  const ending = useConfirm(
    useApiMutation('POST /api/admin/announcements/:id/end'),
    ({ id, titleDe: name, state }: Announcement) => ({
      title: t('end.title'),
      text: t(state === 'planned' ? 'end.planned' : 'end.text', { name }),
      confirm: t('end.confirm'),
      input: { id },
      done: { title: t('end.done') },
      failed: t('end.failed'),
    }),
  );
  const shape = useAnnouncementRows({
    edit: (announcement) => {
      setSelected(announcement);
      setEditing(true);
    },
    end: ending.ask,
  });
  return (
    <Page
      {...head}
      actions={
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      }
    >
      <Panel label={t('list')} flush>
        <ListFrame
          query={announcements}
          address={address}
          nameOf={({ titleDe }) => titleDe}
          search={t('search')}
          filters={[
            {
              name: 'state',
              label: t('column.state'),
              all: t('everyState'),
              options: states.map((value) => ({ value, label: t(`state.${value}`) })),
            },
          ]}
          orders={[]}
          loadFailed={t('loadFailed')}
          empty={
            <EmptyState
              icon={<Megaphone size={22} aria-hidden />}
              title={t('empty')}
              text={t('empty.text')}
            />
          }
          shape={shape}
        />
      </Panel>
      <CreateAnnouncementDialog open={creating} onClose={() => setCreating(false)} />
      {selected && (
        <EditAnnouncementDialog open={editing} announcement={selected} onClose={() => setEditing(false)} />
      )}
      {ending.dialog}
    </Page>
  );
}
