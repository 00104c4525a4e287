import { createHash, randomBytes } from 'node:crypto';
import { typedDigits } from '@talpa/contracts/fields';
import { giveGoAhead } from '@talpa/service-kit/pipelining';
import { edgeMeter } from '../../metrics.ts';
import type { ParsedRequest } from '../parse-request.ts';
import type { Gate, GateWall } from '../ports.ts';
import { isGone, leaveUpload } from '../respond.ts';
import type { VisitorRequest } from '../visitor.ts';
import { readWallCookie, readWallCookies, wallCookie } from './cookies.ts';
import { createEmailSteps } from './email-steps.ts';
import type { Attempt, Passed, Passer, Passing } from './passing.ts';
import { safePath, wallPaths, wallPrefix } from './paths.ts';
import { readForm } from './read-form.ts';
import { isNavigation, isOwnForm, queryOf, redirect, send, type WallRequest } from './request.ts';
import type { ServiceTokens } from './service-tokens.ts';
import { hasPassed, isToken, type KnownVisit, type Visits } from './visits.ts';
import { problemOf, type WallProblem, type WallStep, wallPage } from './wall-page.ts';

const formPaths: ReadonlySet<string> = new Set([wallPaths.pin, wallPaths.password, wallPaths.email]);
/** How long a sign-in at the panel may take. */
const stateSeconds = 600;

export interface WallParts {
  readonly visits: Visits;
  readonly tokens: ServiceTokens;
  readonly passing: Passing;
  /** The panel as browsers reach it; undefined: nobody can sign in at Talpa. */
  readonly panelUrl: string | undefined;
}

/** For what was let in before, or counts as a page already. */
const always = () => true;

/** What stands before a protected proxy: lets those through who have passed, and shows the others how to. */
export function createWall({ visits, tokens, passing, panelUrl }: WallParts) {
  /** The visit that a request belongs to, whether or not it has passed all of the wall; rather one that has. */
  const visitOf = async (
    request: VisitorRequest,
    scheme: 'http' | 'https',
    wall: GateWall,
    mayLook: () => boolean,
  ) => {
    let partly: (KnownVisit & { readonly token: string }) | null = null;
    for (const token of readWallCookies(request.headers.cookie, 'session', scheme).filter(isToken)) {
      const visit = await visits.find(wall, token, mayLook);
      if (visit && hasPassed(wall, visit)) return { ...visit, token };
      if (visit) partly ??= { ...visit, token };
    }
    return partly;
  };
  /** What lets a request through: a program's token, or the visit of somebody who has passed. */
  const passedOf = async (
    request: VisitorRequest,
    scheme: 'http' | 'https',
    wall: GateWall,
    address: string | null,
    mayLook: () => boolean,
  ): Promise<{ readonly endsAt: number } | null> => {
    const admission = await tokens.find(wall, request, address, mayLook);
    if (admission) return admission;
    const visit = await visitOf(request, scheme, wall, mayLook);
    return visit && hasPassed(wall, visit) ? visit : null;
  };

  const show = (
    met: WallRequest,
    visit: KnownVisit | null,
    path: string,
    problem: WallProblem | null = null,
    step: WallStep = 'ways',
  ) => {
    edgeMeter.respondedItself('sign_in_required');
    const { request, response, parsed, wall } = met;
    const page = wallPage({
      wall,
      path,
      problem,
      step,
      host: parsed.host.authority,
      hasSignIn: panelUrl !== undefined,
      passed: visit?.methods ?? [],
      acceptLanguage: request.headers['accept-language'],
    });
    send(met, problem?.text === 'wait' ? 429 : 401, page.fields, page.body);
    leaveUpload(request, response);
  };
  const passerOf = async ({ request, parsed, wall }: WallRequest): Promise<Passer> => ({
    address: parsed.visitor.address,
    agent: request.headers['user-agent'] ?? '',
    token: (await visitOf(request, parsed.visitor.scheme, wall, always))?.token ?? null,
  });
  /** @param used the cookie with which they have passed, and need no longer */
  const letIn = (
    met: WallRequest,
    { token, seconds }: Passed,
    path: string,
    used: 'state' | 'email' = 'state',
  ) => {
    const { scheme } = met.parsed.visitor;
    redirect(met, path, [wallCookie('session', scheme, token, seconds), wallCookie(used, scheme, '', 0)]);
  };
  /** Shows the wall with what is left of it to the visitor. */
  const showRest = async (
    met: WallRequest,
    path: string,
    problem: WallProblem | null = null,
    step: WallStep = 'ways',
  ) => {
    const visit = await visitOf(met.request, met.parsed.visitor.scheme, met.wall, always);
    if (!isGone(met.response)) show(met, visit, path, problem, step);
  };
  /** The fields of a form that the wall has shown; null: it is none. */
  const takeForm = async (met: WallRequest) => {
    if (met.expectsContinue) giveGoAhead(met.response);
    return isOwnForm(met.request, met.parsed) ? readForm(met.request) : null;
  };

  const takeSecret = async (met: WallRequest, method: 'pin' | 'password') => {
    const form = await takeForm(met);
    if (isGone(met.response)) return;
    const path = safePath(form?.get('path'));
    const typed = form?.get('secret') ?? '';
    const secret = method === 'pin' ? typedDigits(typed) : typed;
    if (secret === '') return showRest(met, path);
    const attempt: Attempt = await passing.trySecret(met.wall, method, secret, await passerOf(met));
    if (isGone(met.response)) return;
    if (!('refused' in attempt)) return letIn(met, attempt, path);
    await showRest(met, path, problemOf(attempt, `wrong_${method}`));
  };
  /** Sends the browser to the panel, with what only this browser can show when it comes back. */
  const sendToPanel = (met: WallRequest, panel: string) => {
    const { parsed } = met;
    const { scheme } = parsed.visitor;
    const secret = randomBytes(32).toString('base64url');
    const path = Buffer.from(safePath(queryOf(parsed).get('path'))).toString('base64url');
    const target = new URL('/visit', panel);
    target.searchParams.set('host', parsed.host.name);
    target.searchParams.set('state', createHash('sha256').update(secret).digest('base64url'));
    redirect(met, target.href, [wallCookie('state', scheme, `${secret}.${path}`, stateSeconds)]);
  };
  const takeCode = async (met: WallRequest) => {
    const { request, response, parsed } = met;
    const [state = '', encoded = ''] =
      readWallCookie(request.headers.cookie, 'state', parsed.visitor.scheme)?.split('.') ?? [];
    const path = safePath(Buffer.from(encoded, 'base64url').toString('latin1'));
    const code = queryOf(parsed).get('code') ?? '';
    const passed = isToken(state)
      ? await passing.redeem(parsed.host.name, code, state, await passerOf(met))
      : null;
    if (isGone(response)) return;
    if (passed) return letIn(met, passed, path);
    await showRest(met, path, { text: 'sign_in_failed' });
  };
  const email = createEmailSteps({ passing, takeForm, passerOf, letIn, show: showRest });

  return {
    /** Whether a request is for the wall itself. */
    isOwn: (path: string) => path.startsWith(wallPrefix),
    /** Answers a request for the wall itself. @returns false for one that it does not know */
    async answer(met: WallRequest): Promise<boolean> {
      const { method, path } = met.parsed;
      const [plain = ''] = path.split('?', 1);
      if (met.isUpgrade) return false;
      if (method === 'POST' && plain === wallPaths.pin) await takeSecret(met, 'pin');
      else if (method === 'POST' && plain === wallPaths.password) await takeSecret(met, 'password');
      else if (method === 'POST' && plain === wallPaths.email) await email.request(met);
      else if (method === 'POST' && plain === wallPaths.emailCode) await email.take(met);
      else if (method === 'GET' && plain === wallPaths.emailCode) await email.ask(met);
      else if (method === 'GET' && plain === wallPaths.signIn && panelUrl) sendToPanel(met, panelUrl);
      else if (method === 'GET' && plain === wallPaths.return) await takeCode(met);
      // The address that the browser shows after a form, opened again or from its history.
      else if (formPaths.has(plain) && isNavigation(met.request, method)) redirect(met, '/', []);
      else return false;
      return true;
    },
    /** What lets a request through; null: nothing does. */
    passedOf,
    /** Shows the wall to a browser that opens a page. @returns false for anything else */
    async showTo(met: WallRequest): Promise<boolean> {
      if (met.isUpgrade || !isNavigation(met.request, met.parsed.method)) return false;
      await showRest(met, safePath(met.parsed.path));
      return true;
    },
    /** Whether what a visitor has open may go on under a policy. */
    async isAllowed(
      gate: Gate | undefined,
      request: VisitorRequest,
      parsed: ParsedRequest,
    ): Promise<boolean> {
      if (!gate) return true;
      const { address, scheme } = parsed.visitor;
      const { outcome } = gate.judge({ address, path: parsed.path });
      if (outcome !== 'wall') return outcome === 'allow';
      return gate.wall !== null && (await passedOf(request, scheme, gate.wall, null, always)) !== null;
    },
    /** Looks at all visits and tokens anew. */
    forget: () => {
      visits.forget();
      tokens.forget();
    },
  };
}
export type Wall = ReturnType<typeof createWall>;
