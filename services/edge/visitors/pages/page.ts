import { type EdgeErrorCode, edgeErrors, edgeErrorTexts } from '@talpa/contracts/edge-errors';
import { type Language, preferredLanguage } from '@talpa/contracts/language';
import { escapeHtml, framed } from './frame.ts';

/** What a page may name. */
export interface PageParams {
  readonly host?: string;
  readonly seconds?: number;
  /** The visitor's. */
  readonly address?: string;
  /** In bytes. */
  readonly maximum?: number;
  /** The owner's own words. */
  readonly message?: string;
}

export interface Page {
  readonly status: number;
  /** Names and values in turn. */
  readonly fields: string[];
  readonly body: Buffer;
}

export interface PageWish {
  readonly accept: string | undefined;
  readonly language: string | undefined;
  readonly requestId: string;
  /** It is JSON whatever they ask for. */
  readonly isJson?: boolean;
}

/** An error for a visitor, in the language and form they ask for: a page, or JSON where they want that alone. */
export function errorPage(code: EdgeErrorCode, params: PageParams, wish: PageWish): Page {
  const language = preferredLanguage(wish.language);
  const { maximum, message, ...rest } = params;
  const megabytes = maximum === undefined ? {} : { maximum: Math.floor(maximum / 1_048_576) };
  const { title, text } = edgeErrorTexts(code, language, { ...rest, ...megabytes });
  const { status } = edgeErrors[code];
  const isJson = wish.isJson || wantsJson(wish.accept);
  const body = isJson
    ? JSON.stringify({
        code,
        message: text,
        requestId: wish.requestId,
        ...(message && { ownerMessage: message }),
      })
    : html({ language, status, title, text, message, requestId: wish.requestId });
  const bytes = Buffer.from(body);
  return { status, fields: fieldsOf(code, params, isJson, language, bytes.length), body: bytes };
}

/** In how many seconds a program may try again; those that are left out say so themselves, or not at all. */
const comeAgain: Readonly<Partial<Record<EdgeErrorCode, number>>> = { no_connector: 5, paused: 300 };

function fieldsOf(
  code: EdgeErrorCode,
  params: PageParams,
  isJson: boolean,
  language: Language,
  length: number,
) {
  const seconds = params.seconds ?? comeAgain[code];
  return [
    ...['content-type', isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8'],
    ...['content-length', String(length), 'content-language', language],
    ...['cache-control', 'no-store', 'vary', 'accept, accept-language'],
    ...['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *"],
    ...['x-content-type-options', 'nosniff', 'x-robots-tag', 'noindex', 'x-edge-error', code],
    ...(seconds === undefined ? [] : ['retry-after', String(seconds)]),
    // A browser loads the page again by itself: then the certificate is there.
    ...(code === 'certificate_pending' ? ['refresh', String(seconds ?? 5)] : []),
  ];
}

function wantsJson(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

interface Shown {
  readonly language: Language;
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly message: string | undefined;
  readonly requestId: string;
}

const requestWord = { de: 'Anfrage', en: 'Request' } as const;

function html({ language, status, title, text, message, requestId }: Shown): string {
  // Another language's may run the other way.
  const words = message ? `\n<p class="words" dir="auto">${escapeHtml(message)}</p>` : '';
  const content = `<p>${escapeHtml(text)}</p>${words}`;
  return framed({
    language,
    title,
    content,
    footer: `HTTP ${status} · ${requestWord[language]} ${requestId}`,
  });
}
