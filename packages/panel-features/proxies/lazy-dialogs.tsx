import { lazyPage } from '@talpa/panel-kit/core';
import { useOpening } from '@talpa/panel-kit/form';
import { LazyPart } from '@talpa/panel-kit/ui';
import { type ComponentProps, useEffect } from 'react';

/** Loaded after the page, so that the page shows sooner. */
const Install = lazyPage(() => import('./install-dialog.tsx').then((module) => module.InstallDialog));
const Connect = lazyPage(() => import('./connect-dialog.tsx').then((module) => module.ConnectDialog));

/** How to install a proxy's connector; open while there is one. */
export function InstallDialog(props: ComponentProps<typeof Install>) {
  const opening = useOpening(props.proxy !== null);
  // Before it is opened: it opens without a connection, too.
  useEffect(() => void Install.loadAhead(), []);
  return (
    opening > 0 && (
      <LazyPart>
        <Install {...props} />
      </LazyPart>
    )
  );
}

/** How to connect a machine that has no proxy yet. */
export function ConnectDialog(props: ComponentProps<typeof Connect>) {
  const opening = useOpening(props.open);
  useEffect(() => void Connect.loadAhead(), []);
  return (
    opening > 0 && (
      <LazyPart>
        <Connect {...props} />
      </LazyPart>
    )
  );
}
