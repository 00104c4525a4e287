import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProxyTexts } from './texts.ts';
import styles from './visitor-frame.module.css';

/** What a visitor sees who opens a proxy's address, as in their browser; nothing of it can be pressed. */
export function VisitorFrame(props: { readonly host: string; readonly children: ReactNode }) {
  const t = useProxyTexts();
  return (
    <figure className={styles.frame}>
      <figcaption>{t('visitors')}</figcaption>
      <div className={styles.browser}>
        <div className={styles.addressBar}>
          <Globe size={12} aria-hidden />
          {props.host}
        </div>
        {props.children}
      </div>
    </figure>
  );
}

/** A page that visitors see, by its title and what it says. */
export function Sight(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.sight}>
      <strong>{props.title}</strong>
      <span className={styles.hint}>{props.children}</span>
    </div>
  );
}
