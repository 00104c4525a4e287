import * as Toast from '@radix-ui/react-toast';
import { dismissToast, useToasts } from '@talpa/panel-kit/core';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './toaster.module.css';

const icons = { success: CircleCheck, error: CircleAlert, info: Info };

/** Shows toasts: 5 s each, swiped away to the right, reached by F8. */
export function Toaster({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  const toasts = useToasts();
  const before = useRef<HTMLElement | null>(null);
  const viewport = useRef<HTMLOListElement>(null);
  useToastsHeight(viewport);
  const [announcer, setAnnouncer] = useState<HTMLElement | null>(null);
  const rememberBefore = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      before.current = relatedTarget;
  };
  const close = (id: number) => {
    // The focus goes back to where F8 took it from. Left here, it would halt the time of all later toasts.
    if (viewport.current?.contains(document.activeElement)) (before.current ?? document.body).focus();
    if (viewport.current === document.activeElement) viewport.current?.blur();
    dismissToast(id);
  };
  return (
    <Toast.Provider
      duration={5_000}
      swipeDirection="right"
      swipeThreshold={50}
      label={t('toast.label')}
      announcerContainer={announcer ?? undefined}
    >
      {children}
      {/* Screen readers read this copy of the toast’s text, in the language of the toast. */}
      <div ref={setAnnouncer} lang={toasts[0]?.language} />
      {toasts.map(({ id, open, title, text, tone = 'info', language }) => {
        const Icon = icons[tone];
        return (
          <Toast.Root
            key={id}
            lang={language}
            open={open}
            onOpenChange={(isOpen) => !isOpen && close(id)}
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
        ref={viewport}
        onFocus={rememberBefore}
        hotkey={['F8']}
        className={styles.viewport}
        label={t('toast.region', { hotkey: '{hotkey}' })}
      />
    </Toast.Provider>
  );
}

/** Publishes in `--toasts-height` how much of the window the toasts take, above or below: an open dialog makes room for them. */
function useToastsHeight(viewport: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { current } = viewport;
    if (!current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const height = current.childElementCount > 0 ? current.offsetHeight : 0;
      style.setProperty('--toasts-height', `${height}px`);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty('--toasts-height');
    };
  }, [viewport]);
}
