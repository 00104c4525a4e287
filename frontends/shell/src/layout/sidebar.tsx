import { useLanguage, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LanguageSwitcher, Tooltip } from '@talpa/panel-kit/ui';
import { LogOut, type LucideIcon, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react';
import { Mole } from '../mole.tsx';
import { menuOf } from '../remotes/pages.ts';
import type { RemoteName } from '../remotes/remotes.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { Bell } from './bell.tsx';
import { useCurrentEntry } from './current-entry.ts';
import { menuIcons } from './menu-icons.ts';
import styles from './sidebar.module.css';
import { setSidebarState } from './sidebar-state.ts';
import { useSignOutButton } from './sign-out.ts';

/** The main menu. `onClose` makes it what is in the overlay of narrow screens. */
export function Sidebar({
  expanded,
  onClose,
}: {
  readonly expanded: boolean;
  readonly onClose?: () => void;
}) {
  const t = useShellTexts();
  const user = useUser();
  const language = useLanguage();
  const current = useCurrentEntry();
  const entriesOf = (remote: RemoteName) =>
    menuOf(remote).map(({ path, icon, label }) => (
      <Entry
        key={path}
        to={path}
        label={label[language]}
        icon={menuIcons[icon]}
        expanded={expanded}
        isCurrent={path === current}
        onClick={onClose}
      />
    ));
  return (
    <nav
      className={styles.sidebar}
      aria-label={t('layout.navigation')}
      data-expanded={expanded}
      data-overlay={onClose !== undefined}
    >
      <div className={styles.head}>
        <span className={styles.brand}>
          <Mole size={30} />
          {expanded && 'Talpa'}
        </span>
        {!onClose && <Bell />}
        {onClose && (
          <button type="button" className={styles.plain} aria-label={t('layout.close')} onClick={onClose}>
            <X size={20} aria-hidden />
          </button>
        )}
      </div>
      <div className={styles.nav}>
        {entriesOf('user')}
        {user.isAdmin && (
          <>
            <div className={styles.section}>{expanded ? t('layout.administration') : <hr />}</div>
            {entriesOf('admin')}
          </>
        )}
      </div>
      <div className={styles.foot}>
        <div className={styles.tools}>
          {!onClose && <Toggle expanded={expanded} />}
          <LanguageSwitcher variant={expanded ? 'entry' : 'icon'} />
        </div>
        <LogoutButton expanded={expanded} />
      </div>
    </nav>
  );
}

function Entry(props: {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly expanded: boolean;
  readonly isCurrent: boolean;
  readonly onClick: (() => void) | undefined;
}) {
  const link = (
    <Link
      to={props.to}
      className={styles.entry ?? ''}
      aria-label={props.label}
      {...(props.isCurrent ? { 'aria-current': 'page' } : {})}
      {...(props.onClick ? { onClick: props.onClick } : {})}
    >
      <props.icon size={19} aria-hidden />
      {props.expanded && <span>{props.label}</span>}
    </Link>
  );
  return props.expanded ? (
    link
  ) : (
    <Tooltip title={props.label} placement="right">
      {link}
    </Tooltip>
  );
}

function Toggle({ expanded }: { readonly expanded: boolean }) {
  const t = useShellTexts();
  const label = expanded ? t('layout.collapse') : t('layout.expand');
  const Icon = expanded ? PanelLeftClose : PanelLeftOpen;
  return (
    <button
      type="button"
      className={styles.entry}
      aria-label={label}
      aria-expanded={expanded}
      onClick={() => setSidebarState(expanded ? 'collapsed' : 'expanded')}
    >
      <Icon size={19} aria-hidden />
      {expanded && <span>{label}</span>}
    </button>
  );
}

function LogoutButton({ expanded }: { readonly expanded: boolean }) {
  const t = useShellTexts();
  const { signOut, isPending } = useSignOutButton();
  return (
    <button
      type="button"
      className={styles.entry}
      aria-label={t('layout.logout')}
      disabled={isPending}
      onClick={signOut}
    >
      <LogOut size={19} aria-hidden />
      {expanded && <span>{t('layout.logout')}</span>}
    </button>
  );
}
