import type { Language } from '@talpa/contracts/language';
import { type ReactNode, useId } from 'react';

const blue = '#012169';
const red = '#c8102e';

const german = (
  <>
    <path fill="#1a1a1a" d="M0 0h24v16H0z" />
    <path fill="#d00" d="M0 5.333h24V16H0z" />
    <path fill="#ffce00" d="M0 10.667h24V16H0z" />
  </>
);
const british = (
  <>
    <path fill={blue} d="M0 0h24v16H0z" />
    <path stroke="#fff" strokeWidth="3.200" d="m0 0 24 16m0-16L0 16" />
    <path stroke={red} strokeWidth="1.200" d="m0 0 24 16m0-16L0 16" />
    <path stroke="#fff" strokeWidth="5.200" d="M12 0v16M0 8h24" />
    <path stroke={red} strokeWidth="3" d="M12 0v16M0 8h24" />
  </>
);
const flags: Readonly<Record<Language, ReactNode>> = { de: german, en: british };

/** A language's flag. Decoration: what it stands in names the language. */
export function Flag({ language, width = 21 }: { readonly language: Language; readonly width?: number }) {
  const edge = useId();
  return (
    <svg width={width} height={(width * 2) / 3} viewBox="0 0 24 16" aria-hidden="true" focusable="false">
      <clipPath id={edge}>
        <rect width="24" height="16" rx="2.500" />
      </clipPath>
      <g clipPath={`url(#${edge})`}>{flags[language]}</g>
      {/* Against a background of the flag's own color. */}
      <rect x=".5" y=".5" width="23" height="15" rx="2" fill="none" stroke="#8888" />
    </svg>
  );
}
