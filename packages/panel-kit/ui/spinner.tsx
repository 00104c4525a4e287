import { LoaderCircle } from 'lucide-react';
import styles from './spinner.module.css';

/** The one sign of waiting, in pages, dialogs and buttons. Words beside it say what is waited for. */
export function Spinner({ size = 16 }: { readonly size?: number }) {
  return <LoaderCircle size={size} aria-hidden className={styles.spinner} data-spinner />;
}
