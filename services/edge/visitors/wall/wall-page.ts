import { type Language, preferredLanguage } from '@talpa/contracts/language';
import { type WallText, wallText } from '@talpa/contracts/wall-texts';
import { escapeHtml, framed } from '../pages/frame.ts';
import type { GateWall } from '../ports.ts';
import type { Attempt } from './passing.ts';
import { wallPaths } from './paths.ts';

/** Why a visitor sees the wall again. */
export interface WallProblem {
  readonly text: Extract<
    WallText,
    'wrong_pin' | 'wrong_password' | 'wrong_email' | 'wrong_code' | 'wait' | 'sign_in_failed'
  >;
  readonly seconds?: number;
}

/** What a refused try shows. */
export const problemOf = (
  attempt: Extract<Attempt, { readonly refused: string }>,
  wrong: WallProblem['text'],
): WallProblem => (attempt.refused === 'wait' ? { text: 'wait', seconds: attempt.seconds } : { text: wrong });

/** All ways through, or the second step of one: the code of an email. */
export type WallStep = 'ways' | 'code';

export interface WallShown {
  readonly step: WallStep;
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
  const { wall, host, problem, step } = shown;
  const isCode = step === 'code';
  const text = escapeHtml(say(isCode ? 'codeText' : wall.require === 'all' ? 'textAll' : 'text', { host }));
  const minutes = Math.max(1, Math.ceil((problem?.seconds ?? 0) / 60));
  const alert = problem
    ? `<p class="problem" role="alert">${escapeHtml(say(problem.text, { minutes }))}</p>`
    : '';
  const parts = isCode ? codeStep(shown, language) : waysOf(shown, language);
  const content = [`<p>${text}</p>`, alert, ...parts].filter((part) => part !== '').join('\n');
  const body = Buffer.from(
    framed({ language, title: say(isCode ? 'codeTitle' : 'title'), content, footer: host }),
  );
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
  const typed = (['pin', 'password', 'email'] as const).filter(isLeft);
  const wrong = typed.find((method) => problem?.text === `wrong_${method}`);
  const focused = wrong ?? typed[0];
  const inputs = {
    pin: 'name="secret" type="password" inputmode="numeric" autocomplete="off"',
    password: 'name="secret" type="password" autocomplete="off"',
    email: 'name="email" type="email" maxlength="254" autocomplete="email"',
  };
  const form = (method: keyof typeof inputs) => `<form method="post" action="${wallPaths[method]}">
<input type="hidden" name="path" value="${escapeHtml(path)}">
<label for="${method}">${say(method)}</label>
<input id="${method}" ${inputs[method]} required${method === focused ? ' autofocus' : ''}${method === wrong ? ' aria-invalid="true"' : ''}>
<button type="submit">${say(method === 'email' ? 'sendCode' : 'submit')}</button>
</form>`;
  const link = (key: 'member' | 'owner') =>
    `<a class="${key}" href="${wallPaths.signIn}?path=${escapeHtml(encodeURIComponent(path))}">${say(key)}</a>`;
  const isForMembers = isLeft('member') || passed.includes('member');
  return [
    ...typed.map(form),
    ...(hasSignIn && !passed.includes('member') ? [link(isForMembers ? 'member' : 'owner')] : []),
  ];
}

/** Asks for the code of an email, the same whether or not one was sent. */
function codeStep({ path, problem }: WallShown, language: Language): string[] {
  const say = (key: WallText) => escapeHtml(wallText(key, language));
  return [
    `<form method="post" action="${wallPaths.emailCode}">
<label for="code">${say('code')}</label>
<input id="code" name="code" inputmode="numeric" maxlength="20" autocomplete="one-time-code" required autofocus${problem?.text === 'wrong_code' ? ' aria-invalid="true"' : ''}>
<button type="submit">${say('submit')}</button>
</form>`,
    `<a class="again" href="${escapeHtml(path)}">${say('anotherCode')}</a>`,
  ];
}
