import { lazyPage } from '@talpa/panel-kit/core';
import { LazyPart } from '@talpa/panel-kit/ui';
import { type ComponentProps, useEffect, useState } from 'react';

/** Loaded after the page, so that the page shows sooner. */
const Install = lazyPage(() => import('./install-dialog.tsx').then((module) => module.InstallDialog));
const Connect = lazyPage(() => import('./connect-dialog.tsx').then((module) => module.ConnectDialog));

/** How to install a proxy's connector; open while there is one. */
export function InstallDialog(props: ComponentProps<typeof Install>) {
  const isAsked = useOnce(props.proxy !== null);
  // Before it is opened: it opens without a connection, too.
  useEffect(() => void Install.loadAhead(), []);
  return (
    isAsked && (
      <LazyPart>
        <Install {...props} />
      </LazyPart>
    )
  );
}

/** How to connect a machine that has no proxy yet. */
export function ConnectDialog(props: ComponentProps<typeof Connect>) {
  const isAsked = useOnce(props.open);
  useEffect(() => void Connect.loadAhead(), []);
  return (
    isAsked && (
      <LazyPart>
        <Connect {...props} />
      </LazyPart>
    )
  );
}

/** True from the first time on: a dialog that closes is still there. */
function useOnce(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return was || now;
}
