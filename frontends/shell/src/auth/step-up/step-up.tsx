import { endStepUp, loadOnce, secondFactorQuery, useStepUpRequested } from '@talpa/panel-kit/core';
import { useLocation } from '@talpa/panel-kit/router';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import type { ProvedBy } from './step-up-dialog.tsx';

type Dialog = ComponentType<{ readonly open: boolean; readonly by: ProvedBy; readonly hasPasskey: boolean }>;

/** Loaded when it is needed: few users ever see it. */
const load = loadOnce<Dialog>(() => import('./step-up-dialog.tsx').then(({ StepUpDialog }) => StepUpDialog));

/** Shows the dialog for calls that need a step-up. */
export function StepUp() {
  const isRequested = useStepUpRequested();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [shown, setShown] = useState<{
    readonly Dialog: Dialog;
    readonly by: ProvedBy;
    readonly hasPasskey: boolean;
  } | null>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (!isRequested) return;
    let isOver = false;
    Promise.all([load(), client.fetchQuery(secondFactorQuery)]).then(
      ([Dialog, { authenticator, passkeys, hasPassword }]) => {
        if (isOver) return;
        const by = authenticator ? 'code' : hasPassword === false ? 'signIn' : 'password';
        setShown({ Dialog, by, hasPasskey: passkeys > 0 });
        setReady(true);
      },
      // The call then shows that it was refused.
      () => !isOver && endStepUp(false),
    );
    return () => {
      isOver = true;
      setReady(false);
    };
  }, [isRequested, client]);
  // The page that waits for it has been left, or its user has been signed out.
  useEffect(() => () => endStepUp(false), [pathname]);
  return shown && <shown.Dialog open={isReady} by={shown.by} hasPasskey={shown.hasPasskey} />;
}
