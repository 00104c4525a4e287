import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import styles from './page.module.css';

/** The way to the page above this one. */
export function BackLink({ to, text }: { readonly to: string; readonly text: string }) {
  return (
    <Link to={to} className={styles.backLink}>
      <ArrowLeft size={15} aria-hidden />
      {text}
    </Link>
  );
}
