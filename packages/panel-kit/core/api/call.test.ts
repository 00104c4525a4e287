import { expect, it } from 'vitest';
import { requestOf } from './call.ts';

it('fills params into the path and sends the rest as the body', () => {
  expect(
    requestOf('PUT /api/tunnel-configs/:id', { id: 7, serverName: 'Maulwurf', customUrl: null }),
  ).toEqual({
    method: 'PUT',
    url: '/api/tunnel-configs/7',
    body: '{"serverName":"Maulwurf","customUrl":null}',
  });
});

it('sends what is not in the path as the query of a GET', () => {
  expect(requestOf('GET /api/user', { nocache: 'a b' })).toEqual({
    method: 'GET',
    url: '/api/user?nocache=a+b',
    body: undefined,
  });
});

it('sends no body where there is nothing to say', () => {
  expect(requestOf('POST /api/recreate-tunnel/:id', { id: 3 }).body).toBeUndefined();
  expect(requestOf('POST /api/logout', {}).body).toBeUndefined();
});

it('keeps a param from leaving its place in the path', () => {
  expect(requestOf('DELETE /api/tunnel-configs/:id', { id: '../user' }).url).toBe(
    '/api/tunnel-configs/..%2Fuser',
  );
});
