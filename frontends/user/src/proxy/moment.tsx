import { formatTime, useAgo, useLanguage } from '@talpa/panel-kit/core';

/** A moment by how long ago it was; exactly where one points at it. */
export function Moment({ at }: { readonly at: string }) {
  const language = useLanguage();
  const ago = useAgo();
  return (
    <time dateTime={at} title={formatTime(at, language)}>
      {ago(at)}
    </time>
  );
}
