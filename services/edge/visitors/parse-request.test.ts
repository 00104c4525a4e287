import { expect, it } from 'vitest';
import { newRequestId, parseRequest } from './parse-request.ts';
import type { VisitorRequest } from './visitor.ts';

const visitor = { address: '203.0.113.7', scheme: 'https' } as const;
/** What Node has read of a request in HTTP/1.1. */
const read = (url: string, rawHeaders: readonly string[], method = 'POST') =>
  parseRequest({ url, method, rawHeaders } as unknown as VisitorRequest, visitor, 'an-id');
const named = ['Host', 'Srv.Example:8081'];

it('says to the panel who asks for what, and nothing that the visitor claims of it', () => {
  const forged = ['X-Forwarded-For', '6.6.6.6', 'CF-Ray', 'x', 'X-Forwarded-Proto', 'http', 'X-Kept', '1'];
  const parsed = read('/a?b=1', [...named, ...forged]);
  expect(parsed).toMatchObject({
    ...{ requestId: 'an-id', method: 'POST', path: '/a?b=1', visitor, hasBody: false, length: undefined },
    host: { name: 'srv.example', authority: 'srv.example:8081' },
  });
  expect({ ...parsed?.fields }).toEqual({
    ...{ ':method': 'POST', ':scheme': 'https', ':authority': 'srv.example:8081', ':path': '/a?b=1' },
    ...{
      'accept-encoding': 'identity',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'cf-connecting-ip': '203.0.113.7',
    },
    ...{ 'x-forwarded-host': 'srv.example:8081', 'cf-ray': 'an-id', 'x-kept': '1' },
  });
});

it.each([
  [[], false, undefined],
  [['Content-Length', '0'], false, 0],
  [['Content-Length', '3'], true, 3],
  [['Transfer-Encoding', 'chunked'], true, undefined],
])('has a body when it announces one: %j', (headers, hasBody, length) => {
  expect(read('/', [...named, ...(headers as string[])])).toMatchObject({ hasBody, length });
});

it.each([
  ['http://other.example/x?y', 'other.example', '/x?y'],
  ['HTTPS://Other.Example:444?y', 'other.example:444', '/?y'],
  ['http://other.example', 'other.example', '/'],
  ['*', 'srv.example:8081', '*'],
  ['//other.example/x', 'srv.example:8081', '//other.example/x'],
])('goes where its target says: %s', (url, authority, path) => {
  const parsed = read(url, named);
  expect([
    parsed?.host.authority,
    parsed?.path,
    parsed?.fields[':authority'],
    parsed?.fields[':path'],
  ]).toEqual([...[authority, path, authority, path]]);
});

it.each([
  ['no target', '', named],
  ['a target that is none', 'x', named],
  ['a target of another protocol', 'ftp://other.example/', named],
  ['a target behind something else', 'x:http://other.example/', named],
  ['a name and a password in its target', 'http://srv.example@other.example/', named],
  ['no host', '/', []],
  ['a host that is none', '/', ['Host', 'a b']],
  ['two hosts', '/', [...named, 'Host', 'other.example']],
  ['two hosts beside that of its target', 'http://other.example/', [...named, 'Host', 'other.example']],
])('is not passed on with %s', (_, url, headers) => {
  expect(read(url, headers)).toBeNull();
});

it('is named as no other request is', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId);
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}-TLP$/);
});
