import { randomBytes } from 'node:crypto';
import * as fields from '@talpa/contracts/fields';
import { preferredLanguage } from '@talpa/contracts/language';
import { isGone } from '../respond.ts';
import { readWallCookie, wallCookie } from './cookies.ts';
import type { Passed, Passer, Passing } from './passing.ts';
import { safePath, wallPaths } from './paths.ts';
import { redirect, type WallRequest } from './request.ts';
import { isToken } from './visits.ts';
import { problemOf, type WallProblem, type WallStep } from './wall-page.ts';

/** How long the browser keeps what its code counts with: longer than the code itself, which begins to count when it is sent. */
const cookieSeconds = 1_800;

interface Parts {
  readonly passing: Passing;
  readonly takeForm: (met: WallRequest) => Promise<URLSearchParams | null>;
  readonly passerOf: (met: WallRequest) => Promise<Passer>;
  readonly letIn: (met: WallRequest, passed: Passed, path: string, used: 'email') => void;
  readonly show: (
    met: WallRequest,
    path: string,
    problem?: WallProblem | null,
    step?: WallStep,
  ) => Promise<void>;
}

/** The two steps of a code by email: the visitor gives an address, then the code. */
export function createEmailSteps({ passing, takeForm, passerOf, letIn, show }: Parts) {
  /** What the browser keeps between the steps: its secret, and where the visitor wants to; null: nothing. */
  const keptBy = ({ request, parsed }: WallRequest) => {
    const cookie = readWallCookie(request.headers.cookie, 'email', parsed.visitor.scheme);
    const [state = '', encoded = ''] = cookie?.split('.') ?? [];
    if (!isToken(state)) return null;
    return { state, path: safePath(Buffer.from(encoded, 'base64url').toString('latin1')) };
  };
  return {
    /** Takes the address. Every valid one gets the same answer. */
    async request(met: WallRequest): Promise<void> {
      const { request, response, parsed, wall } = met;
      const form = await takeForm(met);
      if (isGone(response)) return;
      const path = safePath(form?.get('path'));
      const given = fields.listedEmail.safeParse(form?.get('email') ?? '');
      if (!given.success) return show(met, path, form && { text: 'wrong_email' });
      const state = randomBytes(32).toString('base64url');
      const language = preferredLanguage(request.headers['accept-language']);
      const code = { address: given.data, host: parsed.host.name, language, state };
      const seconds = await passing.requestCode(wall, code, await passerOf(met));
      if (isGone(response)) return;
      if (seconds !== 0) return show(met, path, seconds === null ? null : { text: 'wait', seconds });
      const value = `${state}.${Buffer.from(path).toString('base64url')}`;
      redirect(met, wallPaths.emailCode, [wallCookie('email', parsed.visitor.scheme, value, cookieSeconds)]);
    },
    /** Asks for the code. */
    async ask(met: WallRequest): Promise<void> {
      const kept = keptBy(met);
      if (kept && met.wall.methods.includes('email')) return show(met, kept.path, null, 'code');
      redirect(met, kept?.path ?? '/', []);
    },
    /** Takes the code. */
    async take(met: WallRequest): Promise<void> {
      const { response, parsed, wall } = met;
      const form = await takeForm(met);
      if (isGone(response)) return;
      const kept = keptBy(met);
      if (!form || !kept) return show(met, kept?.path ?? '/', form && { text: 'wrong_code' });
      const code = fields.typedDigits(form.get('code') ?? '');
      const attempt = await passing.tryCode(wall, parsed.host.name, code, kept.state, await passerOf(met));
      if (isGone(response)) return;
      if (!('refused' in attempt)) return letIn(met, attempt, kept.path, 'email');
      const step = wall.methods.includes('email') ? 'code' : 'ways';
      await show(met, kept.path, problemOf(attempt, 'wrong_code'), step);
    },
  };
}
