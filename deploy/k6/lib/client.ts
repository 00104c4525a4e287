import http, { type Response } from 'k6/http';
import type { RequestOf, ResponseOf, RouteName, Routes } from '../../../packages/contracts/src/index.ts';

/** Somebody who can sign in, created by the operator who started the run. */
export interface Person {
  readonly username: string;
  readonly password: string;
}

/**
 * Calls of Talpa's API, typed by the contract. Each request carries its entry as tag `name`, so that all ids
 * of a path are one figure. The cookie is kept by k6's own jar, one per virtual user; with an API key none is sent.
 */
export interface Client {
  readonly base: string;
  /** Makes a call and answers it whole, whatever came. */
  send<N extends RouteName>(route: N, input: RequestOf<Routes[N]>): Response;
}

export function createClient(base: string, apiKey?: string): Client {
  const identity = apiKey === undefined ? { origin: base } : { authorization: `Bearer ${apiKey}` };
  const jar = apiKey === undefined ? {} : { jar: new http.CookieJar() };
  return {
    base,
    send: (route, input) => {
      const [method = '', template = ''] = route.split(' ');
      const rest: Record<string, unknown> = { ...input };
      const path = template.replace(/:(\w+)/g, (_, name: string) => {
        const value = rest[name];
        delete rest[name];
        return encodeURIComponent(String(value));
      });
      const hasBody = (method === 'POST' || method === 'PUT') && Object.keys(rest).length > 0;
      const query = hasBody
        ? ''
        : Object.entries(rest)
            .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
            .join('&');
      return http.request(
        method,
        `${base}${path}${query ? `?${query}` : ''}`,
        hasBody ? JSON.stringify(rest) : null,
        {
          tags: { name: route },
          ...jar,
          headers: { ...identity, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
        },
      );
    },
  };
}

/** The body of a successful call. */
export function answerOf<N extends RouteName>(_route: N, response: Response): ResponseOf<Routes[N]> {
  return response.json() as unknown as ResponseOf<Routes[N]>;
}
