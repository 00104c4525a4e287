import { lazyPage, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LanguageSwitcher, LazyPart, Tooltip } from '@talpa/panel-kit/ui';
import { LogOut, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Mole } from '../mole.tsx';
import { type MenuEntry, menuOf } from '../remotes/pages.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { Bell } from './bell.tsx';
import { useCurrentEntry } from './current-entry.ts';
import { menuIcons } from './menu-icons.ts';
import styles from './sidebar.module.css';
import { setSidebarState } from './sidebar-state.ts';
import { useSignOutButton } from './sign-out.ts';

/** Collapsed, as it is at first, the menu shows nothing of it. */
const Account = lazyPage(() => import('./account.tsx').then((module) => module.Account));

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
  const current = useCurrentEntry();
  const groups = Map.groupBy(
    [...menuOf('user'), ...(user.isAdmin ? menuOf('admin') : [])],
    ({ group }) => group,
  );
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
        {!onClose && <Bell expanded={expanded} />}
        {onClose && (
          <button type="button" className={styles.plain} aria-label={t('layout.close')} onClick={onClose}>
            <X size={20} aria-hidden />
          </button>
        )}
      </div>
      {[...groups].map(([group, entries]) => (
        <div key={group ?? ''}>
          {group && (expanded ? <Group name={group} /> : <hr className={styles.line} />)}
          <ul className={styles.entries} {...(group ? { 'aria-label': group, lang: 'de' } : {})}>
            {entries.map((entry) => (
              <li key={entry.path} lang={langOf(entry)}>
                <Entry
                  entry={entry}
                  expanded={expanded}
                  isCurrent={entry.path === current}
                  onClick={onClose}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.foot}>
        {expanded && (
          <LazyPart>
            <Account onClick={onClose} />
          </LazyPart>
        )}
        {!onClose && <Toggle expanded={expanded} />}
        <LanguageSwitcher variant={expanded ? 'entry' : 'icon'} />
        <LogoutButton expanded={expanded} />
      </div>
    </nav>
  );
}

/** The language of what is German alone; else the page's own. */
const langOf = ({ label }: MenuEntry) => (label.en === undefined ? 'de' : undefined);

/** The name above the entries of a group: of administrators' pages, which are German. */
function Group({ name }: { readonly name: string }) {
  return (
    <div className={styles.heading} lang="de" aria-hidden>
      {name}
    </div>
  );
}

/** Collapsed, what has only an icon shows its name as soon as it is pointed at or has the focus. */
function Named(props: {
  readonly name: string;
  readonly expanded: boolean;
  readonly children: ReactElement;
}) {
  if (props.expanded) return props.children;
  return (
    <Tooltip atOnce title={props.name} placement="right">
      {props.children}
    </Tooltip>
  );
}

function Entry(props: {
  readonly entry: MenuEntry;
  readonly expanded: boolean;
  readonly isCurrent: boolean;
  readonly onClick: (() => void) | undefined;
}) {
  const { path, icon, label } = props.entry;
  const name = label[useLanguage()] ?? label.de;
  const Icon = menuIcons[icon];
  return (
    <Named name={name} expanded={props.expanded}>
      <Link
        to={path}
        className={styles.entry ?? ''}
        aria-label={name}
        {...(props.isCurrent ? { 'aria-current': 'page' } : {})}
        {...(props.onClick ? { onClick: props.onClick } : {})}
      >
        <Icon size={19} aria-hidden />
        {props.expanded && <span>{name}</span>}
      </Link>
    </Named>
  );
}

function Toggle({ expanded }: { readonly expanded: boolean }) {
  const t = useShellTexts();
  const label = expanded ? t('layout.collapse') : t('layout.expand');
  const Icon = expanded ? PanelLeftClose : PanelLeftOpen;
  return (
    <Named name={label} expanded={expanded}>
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
    </Named>
  );
}

function LogoutButton({ expanded }: { readonly expanded: boolean }) {
  const t = useShellTexts();
  const { signOut, isPending } = useSignOutButton();
  return (
    <Named name={t('layout.logout')} expanded={expanded}>
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
    </Named>
  );
}
