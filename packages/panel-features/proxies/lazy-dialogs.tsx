import { lazyPage } from '@talpa/panel-kit/core';
import { LazyPart } from '@talpa/panel-kit/ui';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';

/** Loaded after the page, so that the page shows sooner. */
const Install = lazyPage(() => import('./install-dialog.tsx').then((module) => module.InstallDialog));
const Pause = lazyPage(() => import('./pause-dialog.tsx').then((module) => module.PauseDialog));
const Connect = lazyPage(() => import('./connect-dialog.tsx').then((module) => module.ConnectDialog));

/** How to install a proxy's connector; open while there is one. */
export const InstallDialog = (props: ComponentProps<typeof Install>) => (
  <Later page={Install} isOpen={props.proxy !== null}>
    <Install {...props} />
  </Later>
);

/** Pauses a proxy; open while there is one. */
export const PauseDialog = (props: ComponentProps<typeof Pause>) => (
  <Later page={Pause} isOpen={props.proxy !== null}>
    <Pause {...props} />
  </Later>
);

/** How to connect a machine that has no proxy yet. */
export const ConnectDialog = (props: ComponentProps<typeof Connect>) => (
  <Later page={Connect} isOpen={props.open}>
    <Connect {...props} />
  </Later>
);

/** A dialog from its first opening on; it is loaded before, so that it opens without a connection, too. */
function Later(props: {
  readonly page: { loadAhead(): Promise<unknown> };
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  const isAsked = useOnce(props.isOpen);
  useEffect(() => void props.page.loadAhead(), [props.page]);
  return isAsked && <LazyPart>{props.children}</LazyPart>;
}

/** True from the first time on: a dialog that closes is still there. */
function useOnce(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return was || now;
}
