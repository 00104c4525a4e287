import type { Announcement } from '@talpa/contracts';
import { adminAnnouncementQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog, useLatest, useOpening } from '@talpa/panel-kit/form';
import {
  AnnouncementFields,
  type AnnouncementValues,
  firstValues,
  toRequest,
  useDescribeAnnouncement,
  valuesOf,
} from './announcement-fields.tsx';
import { useAnnouncementTexts } from './texts.ts';

interface Opened {
  readonly open: boolean;
  readonly onClose: () => void;
}
type AboutOne = Opened & { readonly announcement: Announcement };

/** Announces something. */
export function CreateAnnouncementDialog(props: Opened) {
  const opening = useOpening(props.open);
  return opening > 0 && <CreateForm key={opening} {...props} />;
}

function CreateForm({ open, onClose }: Opened) {
  const t = useAnnouncementTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/admin/announcements');
  return (
    <FormDialog<AnnouncementValues>
      open={open}
      title={t('create.title')}
      submit={t('create.submit')}
      failed={t('create.failed')}
      values={firstValues()}
      onSubmit={async (values) => {
        await mutateAsync(toRequest(values));
        toast({ title: t('create.done'), tone: 'success' });
        onClose();
      }}
      onClose={onClose}
    >
      <AnnouncementFields />
    </FormDialog>
  );
}

/** Corrects an announcement. */
export function EditAnnouncementDialog(props: AboutOne) {
  const opening = useOpening(props.open);
  return opening > 0 && <EditForm key={opening} {...props} />;
}

function EditForm({ open, announcement, onClose }: AboutOne) {
  const t = useAnnouncementTexts();
  const toast = useToast();
  const describe = useDescribeAnnouncement();
  const query = adminAnnouncementQuery(announcement.id);
  const { record, isGone, refetch, replace } = useLatest(announcement, query, open);
  const { mutateAsync } = useApiMutation('PUT /api/admin/announcements/:id');
  const save = async (values: AnnouncementValues, base: Partial<AnnouncementValues>) => {
    const expected = toRequest({ ...valuesOf(record), ...base }, record);
    replace(await mutateAsync({ id: announcement.id, ...toRequest(values, record), expected }));
    toast({ title: t('edit.done'), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<AnnouncementValues>
      open={open}
      title={t('edit.title')}
      submit={t('edit.submit')}
      failed={t('edit.failed')}
      values={valuesOf(record)}
      describe={describe}
      isGone={isGone}
      onOutdated={refetch}
      onSubmit={save}
      onClose={onClose}
    >
      <AnnouncementFields />
      {record.state === 'active' && <p>{t('edit.hint')}</p>}
    </FormDialog>
  );
}
