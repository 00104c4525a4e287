import { ApiError, usePageTitle } from '@talpa/panel-kit/core';
import { fields } from '@talpa/panel-kit/form';
import { useLocation } from '@talpa/panel-kit/router';
import { type ReactNode, useState } from 'react';
import { authPath } from '../paths.ts';
import { AuthFrame } from './auth-frame.tsx';
import { Outcome } from './outcome.tsx';
import { useAuthTexts } from './texts.ts';

export interface OneTimeLink {
  /** The secret of the link. */
  readonly token: string;
  /**
   * Calls the API with the token. If the response says that the link does not count, the page says so instead of the form.
   * @returns whether the call succeeded
   * @throws every other error of the call
   */
  readonly use: (call: () => Promise<unknown>) => Promise<boolean>;
}

/**
 * The page that a link with a secret token leads to, whether or not somebody is signed in. The token follows `#`.
 * @param token one that stands elsewhere in the address
 * @param isFinal whether an error code means that the link does not count
 */
export function OneTimeLinkPage(props: {
  readonly title: string;
  /** Said of a link that is cut off. */
  readonly incomplete: string;
  readonly isFinal: (code: string) => boolean;
  readonly token?: string;
  readonly children: (link: OneTimeLink) => ReactNode;
}) {
  const { hash } = useLocation();
  const token = props.token ?? hash.slice(1);
  const isWhole = fields.oneTimeToken.safeParse(token).success;
  usePageTitle(props.title);
  return (
    <AuthFrame title={props.title}>
      {/* Another link that is opened in the same tab begins anew. */}
      {isWhole ? <WholeLink key={token} {...props} token={token} /> : <UselessLink why={props.incomplete} />}
    </AuthFrame>
  );
}

function WholeLink(props: {
  readonly token: string;
  readonly isFinal: (code: string) => boolean;
  readonly children: (link: OneTimeLink) => ReactNode;
}) {
  const { token, isFinal } = props;
  const [refused, setRefused] = useState<string | null>(null);
  const use = async (call: () => Promise<unknown>) => {
    try {
      await call();
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError && isFinal(failure.code ?? ''))) throw failure;
      setRefused(failure.message);
      return false;
    }
  };
  return refused === null ? props.children({ token, use }) : <UselessLink why={refused} />;
}

function UselessLink({ why }: { readonly why: string }) {
  const t = useAuthTexts();
  return (
    <Outcome type="error" title={t('reset.useless')} text={why} to={authPath} next={t('reset.toLogin')} />
  );
}
