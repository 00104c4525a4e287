import { type ComponentType, useEffect, useState } from 'react';
import { loadOnce } from '../core/load-once.ts';
import styles from './qr-code.module.css';

type Image = ComponentType<{ readonly text: string; readonly size: number }>;
const size = 184;

/** Few ever see a QR code: what draws it is loaded when one does. */
const load = loadOnce<Image>(() => import('./qr-image.tsx').then(({ QrImage }) => QrImage));

/** A QR code. Its place stays empty if it cannot be drawn: what it says stands beside it as text. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [Drawn, setDrawn] = useState<Image | null>(null);
  useEffect(() => {
    let isGone = false;
    load().then(
      (image) => {
        if (!isGone) setDrawn(() => image);
      },
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <div className={styles.frame} role="img" aria-label={label}>
      {Drawn && (
        <div aria-hidden>
          <Drawn text={text} size={size} />
        </div>
      )}
    </div>
  );
}
