import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './change.module.css';

/** A value before and after a change: the one way in which the panel shows it. Without `from` only the new value. */
export function Change(props: {
  readonly label?: string;
  readonly from: ReactNode | null;
  readonly to: ReactNode | null;
}) {
  const t = useKitTexts();
  const to = <span className={styles.to}>{props.to ?? '–'}</span>;
  return (
    <span className={styles.change}>
      {props.label && <span className={styles.label}>{props.label}:</span>}{' '}
      {props.from === null ? (
        to
      ) : (
        <>
          <span className={styles.from}>{props.from}</span>{' '}
          <span className={styles.becomes}>
            <ArrowRight size={14} className={styles.arrow} aria-label={t('change.becomes')} /> {to}
          </span>
        </>
      )}
    </span>
  );
}
