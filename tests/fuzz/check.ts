import { isDeepStrictEqual } from 'node:util';
import {
  type ErrorCode,
  errorBody,
  errors,
  errorsOf,
  issueTexts,
  type Language,
  preferredLanguage,
} from '@talpa/contracts';
import { securityHeaders } from '../../gateway/security/headers.ts';
import type { FuzzRequest } from './generate.ts';
import { stowaway } from './hostile.ts';
import type { FuzzResponse } from './send.ts';
import type { World } from './world.ts';

const onEveryAnswer = Object.entries(securityHeaders(false));

/** A text of the contract with any parameters in it. */
const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^]*')}$`);
const patterns = {
  de: { errors: patternsOf(errors, 'de'), issues: patternsOf(issueTexts, 'de') },
  en: { errors: patternsOf(errors, 'en'), issues: patternsOf(issueTexts, 'en') },
};
function patternsOf(texts: Record<string, Record<Language, string>>, language: Language) {
  return new Map(Object.entries(texts).map(([key, text]) => [key, patternOf(text[language])]));
}

/** Everything that is wrong with a response. */
export function faultsOf(request: FuzzRequest, response: FuzzResponse, world: World): string[] {
  const faults = leaks(request, response, world);
  const { status, headers, body } = response;
  if (status >= 500) faults.push(`returned ${status}`);
  // Beside the API lie the panel's files, which have a test of their own.
  const isApi = request.path === '/api' || request.path.startsWith('/api/');
  if (!isApi) return faults;
  for (const [name, value] of onEveryAnswer)
    if (headers[name] !== value) faults.push(`the header ${name} is ${headers[name]}`);
  if (!headers['cache-control']?.includes('no-store')) faults.push('it may be stored');
  if (!headers['x-request-id']) faults.push('there is no request id');
  if (request.method === 'HEAD') return faults;
  faults.push(...faultsOfCookie(request, response));
  if (status === 204) {
    if (body !== '') faults.push('a 204 has a body');
    return [...faults, ...faultsOfSuccess(request, response, null)];
  }
  if (headers['content-type']?.startsWith('text/event-stream')) return faults;
  if (headers['content-type'] === 'text/csv; charset=utf-8')
    return [...faults, ...faultsOfSuccess(request, response, body)];
  if (!/^application\/json; charset=utf-8$/.test(headers['content-type'] ?? ''))
    faults.push(`the content type is ${headers['content-type']}`);
  const parsed = parse(body);
  if (parsed === undefined) return [...faults, 'the body is no JSON'];
  return [
    ...faults,
    ...(status >= 400
      ? faultsOfError(request, response, parsed)
      : faultsOfSuccess(request, response, parsed)),
  ];
}

/** The response is what the contract says, and not a field more. */
function faultsOfSuccess({ route, unknown }: FuzzRequest, { status }: FuzzResponse, body: unknown): string[] {
  if (!route) return [];
  if (unknown.length > 0) return [`a field that the call does not know was ignored: ${unknown.join(', ')}`];
  if (status !== route.success) return [`returned ${status}, not ${route.success}`];
  const result = route.entry.response.safeParse(body);
  if (!result.success) return [`the answer breaks the contract: ${result.error.message}`];
  return isDeepStrictEqual(result.data, body) ? [] : ['the answer says more than the contract'];
}

const addressErrors: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

function faultsOfError(request: FuzzRequest, { status, headers }: FuzzResponse, body: unknown): string[] {
  const result = errorBody.safeParse(body);
  if (!result.success) return ['the error is not in our envelope'];
  if (!isDeepStrictEqual(result.data, body)) return ['the error says more than the contract'];
  const { code, message, issues, requestId } = result.data;
  const faults: string[] = [];
  const { route } = request;
  // An id that cannot even be decoded leads to no call.
  const known: readonly ErrorCode[] = [
    ...(route ? errorsOf(route.entry) : []),
    ...(route?.params.length ? addressErrors : []),
  ];
  if (route && !known.includes(code)) faults.push(`the contract does not name ${code}`);
  if (errors[code].status !== status) faults.push(`${code} came with ${status}`);
  if (requestId !== headers['x-request-id']) faults.push('the request id is another one');
  const language = preferredLanguage(languageHeader(request));
  if (!patterns[language].errors.get(code)?.test(message))
    faults.push(`the text is not the one of ${code} in ${language}`);
  // Names are cut, lists that are too long are refused alone, what is no object has no fields, and another address is another call's.
  const named = new Set((issues ?? []).map(({ path }) => path.join('.')));
  const isBrief = issues?.some(({ path, message }) => path.length === 0 || /Einträge|entries/.test(message));
  for (const path of route && code === 'invalid_input' && issues && !isBrief ? request.unknown : [])
    if (path.length === 1 && !named.has(path.join('.').slice(0, 100)))
      faults.push(`it does not name the unknown field ${path}`);
  const texts = [...patterns[language].issues.values()];
  for (const issue of issues ?? [])
    if (!texts.some((text) => text.test(issue.message)))
      faults.push(`the text of a field is not ours: ${issue.message}`);
  if ((code === 'too_many_requests' || status === 503) && !headers['retry-after'])
    faults.push('it does not say when to come again');
  return faults;
}

function languageHeader({ headers }: FuzzRequest): string | undefined {
  const value = headers['accept-language'];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** A cookie is set by a sign-in, with the one that knows the browser again, and cleared by a sign-out or when it opens nothing any more. */
function faultsOfCookie({ route, headers: sent }: FuzzRequest, { status, headers }: FuzzResponse): string[] {
  const [cookie, ...more] = headers['set-cookie'] ?? [];
  if (cookie === undefined) return [];
  const clears = /^talpa_session=; Max-Age=0;/.test(cookie);
  const effect = route?.entry.effect;
  const expected =
    (effect === 'signIn' && status < 300 && !clears) ||
    (effect === 'signOut' && status < 300 && clears) ||
    (status === 401 && clears && sent.cookie !== undefined) ||
    (route === null && clears);
  // What goes on in the same browser marks it.
  if (route?.entry.isBound && more.length === 0 && /^talpa_device=/.test(cookie)) return [];
  const hasDevice = effect === 'signIn' && more.length === 1 && /^talpa_device=/.test(more[0] ?? '');
  return expected && (more.length === 0 || hasDevice) ? [] : [`a cookie was set: ${cookie.slice(0, 40)}`];
}

/** Nothing of somebody else, and nothing of what was smuggled in, is in a response. */
function leaks({ actor }: FuzzRequest, { headers, body }: FuzzResponse, world: World): string[] {
  const text = `${body} ${JSON.stringify(headers)}`;
  const faults = text.includes(stowaway) ? ['an unknown field comes back'] : [];
  if (actor === 'admin') return faults;
  for (const other of [...Object.values(world.actors), world.victim])
    if (other.name !== actor || other === world.victim)
      for (const secret of other.secrets)
        if (text.includes(secret))
          faults.push(
            `something of ${other === world.victim ? 'the victim' : other.name} is in it: ${secret}`,
          );
  return faults;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
