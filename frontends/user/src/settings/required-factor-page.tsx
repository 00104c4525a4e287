import { asksForFactor, hasProvenFactor } from '@talpa/contracts/factor-policy';
import { panelConfig, requestStepUp, secondFactorQuery, useHeadOf, useUser } from '@talpa/panel-kit/core';
import { Navigate, useNavigate } from '@talpa/panel-kit/router';
import { Button, Page } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { useSettingsTexts } from './texts.ts';

/**
 * What users see instead of every other page until they have the second factor that the operator requires. The address stays the one
 * they wanted, and they go on there.
 */
export function RequiredFactorPage() {
  const t = useSettingsTexts();
  const head = useHeadOf(pages.secondFactor);
  const user = useUser();
  const navigate = useNavigate();
  // The router gives the location of this page, which is not the address while the page stands in for another one.
  const { pathname, search } = window.location;
  const { data } = useQuery(secondFactorQuery);
  const isDone = data !== undefined && hasProvenFactor(data);
  const isThere = data !== undefined && (data.authenticator !== null || data.passkeys > 0);
  if (!asksForFactor(panelConfig().secondFactor, user))
    return <Navigate to={`${pages.settings.path}?tab=security`} replace />;
  const target = pathname === pages.secondFactor.path ? pages.dashboard.path : `${pathname}${search}`;
  return (
    <Page
      {...head}
      title={isThere && !isDone ? t('required.proveTitle') : head.title}
      subtitle={t(isDone ? 'required.done' : isThere ? 'required.unproven' : 'required.text')}
      actions={
        isDone ? (
          <Button type="primary" onClick={() => void navigate(target, { replace: true })}>
            {t('required.continue')}
          </Button>
        ) : (
          isThere && (
            <Button type="primary" onClick={() => void requestStepUp()}>
              {t('required.prove')}
            </Button>
          )
        )
      }
    >
      <SecondFactorPanel />
      <PasskeysPanel />
    </Page>
  );
}
