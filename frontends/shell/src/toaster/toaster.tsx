import * as Toast from '@radix-ui/react-toast';
import { dismissToast, useToasts } from '@talpa/panel-kit/core';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './toaster.module.css';

const icons = { success: CircleCheck, error: CircleAlert, info: Info };

/** Shows toasts: 5 s each, swiped away to the right, reached by F8. */
export function Toaster({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  const toasts = useToasts();
  return (
    <Toast.Provider duration={5_000} swipeDirection="right" swipeThreshold={50} label={t('toast.label')}>
      {children}
      {toasts.map(({ id, open, title, text, tone = 'info' }) => {
        const Icon = icons[tone];
        return (
          <Toast.Root
            key={id}
            open={open}
            onOpenChange={(isOpen) => !isOpen && dismissToast(id)}
            type={tone === 'error' ? 'foreground' : 'background'}
            className={`${styles.toast} ${styles[tone]}`}
          >
            <Icon size={18} aria-hidden className={styles.icon} />
            <div className={styles.words}>
              <Toast.Title className={styles.title}>{title}</Toast.Title>
              {text && <Toast.Description className={styles.text}>{text}</Toast.Description>}
            </div>
            <Toast.Close className={styles.close} aria-label={t('toast.close')}>
              <X size={16} aria-hidden />
            </Toast.Close>
          </Toast.Root>
        );
      })}
      <Toast.Viewport
        hotkey={['F8']}
        className={styles.viewport}
        label={t('toast.region', { hotkey: '{hotkey}' })}
      />
    </Toast.Provider>
  );
}
