import { asksForFactor, hasProvenFactor } from '@talpa/contracts/factor-policy';
import { panelConfig, secondFactorQuery, useUser } from '@talpa/panel-kit/core';
import { useLocation } from '@talpa/panel-kit/router';
import { Button, ErrorCard, LanguageSwitcher } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { StepUp } from '../auth/step-up/step-up.tsx';
import { Footer } from '../footer.tsx';
import { Mole } from '../mole.tsx';
import { Waiting } from '../protected.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import { OfflineNotice } from './offline-notice.tsx';
import styles from './required-factor.module.css';
import { useSignOutButton } from './sign-out.ts';

/**
 * Shows `page` instead of everything else while the user lacks the second factor that the operator requires. The services
 * refuse them, too.
 */
export function RequiredFactor(props: { readonly page: ReactNode; readonly children: ReactNode }) {
  const isAsked = asksForFactor(panelConfig().secondFactor, useUser());
  return isAsked ? <IfMissing {...props} /> : props.children;
}

function IfMissing({ page, children }: { readonly page: ReactNode; readonly children: ReactNode }) {
  const { key } = useLocation();
  const { data, error, refetch } = useQuery(secondFactorQuery);
  // The page stays until its user goes on: it shows recovery codes, once, after the factor was set up.
  const [shownAt, setShownAt] = useState<string | null>(null);
  const isMissing = data !== undefined && !hasProvenFactor(data);
  if (isMissing && shownAt !== key) setShownAt(key);
  if (isMissing || shownAt === key) return <Frame>{page}</Frame>;
  if (data) return children;
  return error ? (
    <Frame>
      <ErrorCard isPage error={error} retry={() => void refetch()} />
    </Frame>
  ) : (
    <Waiting session={{ state: 'loading' }} />
  );
}

/** Around the page: nothing leads to other pages, but users can sign out. */
function Frame({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  const { signOut, isPending } = useSignOutButton();
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <span className={styles.brand}>
          <Mole size={26} /> Talpa
        </span>
        <LanguageSwitcher variant="minimal" />
        <Button loading={isPending} onClick={signOut}>
          {t('layout.logout')}
        </Button>
      </header>
      <main className={styles.content}>
        <OfflineNotice />
        {children}
      </main>
      <Footer />
      <StepUp />
    </div>
  );
}
