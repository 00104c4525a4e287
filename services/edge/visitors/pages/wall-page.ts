import { type Language, preferredLanguage, type WallText, wallText } from '@talpa/contracts';
import type { GateWall } from '../ports.ts';
import { wallPaths } from '../wall/paths.ts';
import { escapeHtml, framed } from './frame.ts';

/** Why a visitor sees the wall again. */
export interface WallProblem {
  readonly text: Extract<WallText, 'wrong_pin' | 'wrong_password' | 'wait' | 'sign_in_failed'>;
  readonly seconds?: number;
}

export interface WallShown {
  readonly wall: GateWall;
  readonly host: string;
  /** Where the visitor wants to. */
  readonly path: string;
  /** What they have passed already. */
  readonly passed: readonly string[];
  /** They can sign in at Talpa. */
  readonly hasSignIn: boolean;
  readonly problem: WallProblem | null;
  readonly acceptLanguage: string | undefined;
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The wall before a proxy. It works without scripts. */
export function wallPage(shown: WallShown): { readonly fields: string[]; readonly body: Buffer } {
  const language = preferredLanguage(shown.acceptLanguage);
  const say = (key: WallText, params = {}) => wallText(key, language, params);
  const { wall, host, problem } = shown;
  const text = escapeHtml(say(wall.require === 'all' ? 'textAll' : 'text', { host }));
  const minutes = Math.max(1, Math.ceil((problem?.seconds ?? 0) / 60));
  const alert = problem
    ? `<p class="problem" role="alert">${escapeHtml(say(problem.text, { minutes }))}</p>`
    : '';
  const content = [`<p>${text}</p>`, alert, ...waysOf(shown, language)]
    .filter((part) => part !== '')
    .join('\n');
  const body = Buffer.from(framed({ language, title: say('title'), content, footer: host }));
  return {
    fields: [
      ...['content-type', 'text/html; charset=utf-8', 'content-length', String(body.length)],
      ...['content-language', language, 'cache-control', 'no-store', 'vary', 'accept-language, cookie'],
      ...['content-security-policy', policy, 'x-frame-options', 'DENY', 'referrer-policy', 'no-referrer'],
      ...['x-content-type-options', 'nosniff', 'x-robots-tag', 'noindex', 'x-edge-error', 'sign_in_required'],
    ],
    body,
  };
}

/** The ways through that are left, each a form or a link. The owner's is there whatever the policy says. */
function waysOf({ wall, path, passed, hasSignIn, problem }: WallShown, language: Language): string[] {
  const say = (key: WallText) => escapeHtml(wallText(key, language));
  const isLeft = (method: GateWall['methods'][number]) =>
    wall.methods.includes(method) && !passed.includes(method);
  const wrong =
    problem?.text === 'wrong_pin' ? 'pin' : problem?.text === 'wrong_password' ? 'password' : null;
  const secrets = (['pin', 'password'] as const).filter(isLeft);
  const focused = wrong ?? secrets[0];
  const form = (method: 'pin' | 'password') => `<form method="post" action="${wallPaths[method]}">
<input type="hidden" name="path" value="${escapeHtml(path)}">
<label for="${method}">${say(method)}</label>
<input id="${method}" name="secret" type="password"${method === 'pin' ? ' inputmode="numeric"' : ''} autocomplete="off" required${method === focused ? ' autofocus' : ''}${method === wrong ? ' aria-invalid="true"' : ''}>
<button type="submit">${say('submit')}</button>
</form>`;
  const link = (key: 'member' | 'owner') =>
    `<a class="${key}" href="${wallPaths.signIn}?path=${escapeHtml(encodeURIComponent(path))}">${say(key)}</a>`;
  const isForMembers = isLeft('member') || passed.includes('member');
  return [
    ...secrets.map(form),
    ...(hasSignIn && !passed.includes('member') ? [link(isForMembers ? 'member' : 'owner')] : []),
  ];
}
