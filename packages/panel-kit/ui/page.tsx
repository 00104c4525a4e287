import { type ReactNode, useId, useRef } from 'react';
import { usePageTitle } from '../core/title.ts';
import { useIsArriving } from './arrival.tsx';
import styles from './page.module.css';
import { PageHeading } from './page-heading.tsx';

/** A page: its heading and what is below it. The title also names the browser's tab, if `name` does not. */
export function Page(props: {
  readonly title: string;
  readonly name?: string;
  /** The way to the page above this one. */
  readonly back?: ReactNode;
  /** Stands beside the title: how what the page is about is doing. */
  readonly status?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** The code of what is below the heading is being loaded. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}) {
  usePageTitle(props.name ?? props.title);
  const page = useRef<HTMLDivElement>(null);
  const isArriving = useIsArriving(page);
  return (
    <div ref={page} className={styles.page} aria-busy={props.isBusy ?? false} data-arriving={isArriving}>
      <header className={styles.header}>
        {props.back && <div className={styles.back}>{props.back}</div>}
        <div className={styles.head}>
          <div className={styles.titleLine}>
            <PageHeading className={styles.title}>{props.title}</PageHeading>
            {props.status}
          </div>
          {props.actions && <div className={styles.actions}>{props.actions}</div>}
        </div>
        {props.subtitle && <p className={styles.subtitle}>{props.subtitle}</p>}
      </header>
      {props.children}
    </div>
  );
}

/** A framed part of a page, named by its title. `flush`: the content reaches the frame. */
export function Panel(props: {
  readonly title?: ReactNode;
  /** Names it, in place of a title, for screen readers alone: the page's title says the same. */
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly extra?: ReactNode;
  readonly footer?: ReactNode;
  readonly flush?: boolean;
  /** What is in it cannot be undone. */
  readonly danger?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section
      className={`${styles.panel} ${props.danger ? styles.danger : ''} ${props.className ?? ''}`}
      {...((props.title ?? props.label) ? { 'aria-labelledby': titleId } : {})}
    >
      {props.title && (
        <header className={styles.panelHead}>
          <h2 className={styles.panelTitle} id={titleId}>
            {props.icon}
            {props.title}
          </h2>
          {props.extra}
        </header>
      )}
      {props.label && (
        <h2 className={styles.unseen} id={titleId}>
          {props.label}
        </h2>
      )}
      <div className={`${styles.panelBody} ${props.flush ? styles.flush : ''}`}>{props.children}</div>
      {props.footer && <footer className={styles.panelFoot}>{props.footer}</footer>}
    </section>
  );
}
