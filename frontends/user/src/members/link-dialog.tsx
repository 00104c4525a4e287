import type { ResponseBody } from '@talpa/panel-kit/core';
import { ShownOnceDialog } from '@talpa/panel-kit/form';
import { CopyButton } from '@talpa/panel-kit/ui';
import styles from './members.module.css';
import { useMemberTexts } from './texts.ts';

export type InvitationLink = NonNullable<ResponseBody<'POST /api/tunnel-configs/:id/members'>['link']>;

/** Shows the link of a new invitation, once. */
export function LinkDialog(props: {
  readonly open: boolean;
  readonly link: InvitationLink;
  readonly onClose: () => void;
}) {
  const t = useMemberTexts();
  const { url, path } = props.link;
  const link = url ?? `${window.location.origin}${path}`;
  return (
    <ShownOnceDialog
      open={props.open}
      title={t('link.title')}
      okText={t('link.saved')}
      onClose={props.onClose}
    >
      <p>{t('link.text')}</p>
      <div className={styles.link}>
        <code className="secret">{link}</code>
        <CopyButton text={link} label={t('link.label')} />
      </div>
    </ShownOnceDialog>
  );
}
