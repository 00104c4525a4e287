import { CopyButton } from '@talpa/panel-kit/ui';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './shown-once.module.css';

/** A secret to pass on, which is shown only now. */
export function ShownOnce({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.secret}>
      <code className="secret">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** A link of the panel, which the API gives whole only where it knows the panel's address. */
export function LinkShownOnce({ url, path }: { readonly url: string | null; readonly path: string }) {
  const t = useAdminTexts();
  return (
    <>
      <ShownOnce text={url ?? `${window.location.origin}${path}`} label={t('link.link')} />
      {url === null && <p className={styles.note}>{t('link.ownAddress')}</p>}
    </>
  );
}
